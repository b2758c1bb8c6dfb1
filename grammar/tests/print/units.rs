use costate_grammar::ir::*;
use costate_grammar::operators::BinaryOp as Op;
use costate_grammar::print::{self, Style};

use crate::builder::*;
use crate::compile::accepts;

/// A module `m` with a procedure `f(x)` that has an internal one, a constant and a variable.
fn module() -> (Builder, ModuleId) {
    let mut b = Builder::new();
    let id = add_module(&mut b.program, "m");
    let scope = b.program[id].scope;
    b.scope = scope;
    b.var_with("wp", I, "integer", |v| {
        v.attrs.parameter = true;
        v.init = Some(Expr::int(8));
    });
    b.var_with("state", D, "real(wp)", |v| v.attrs.save = true);
    b.proc = b.procedure("f", ProcKind::Subroutine, ParentUnit::Module(id));
    b.dummy("x", D, Intent::InOut);
    let f = b.proc;
    let g = b.procedure("g", ProcKind::Subroutine, ParentUnit::Procedure(f));
    let (x, state) = (b.v("x"), b.v("state"));
    let s = b.assign(x.clone(), bin(Op::Mul, x, state));
    b.program[g].body = vec![s];
    b.program[f].internals = vec![g];
    let callee = Callee::Proc { sym: b.program[g].sym, generic: None, operator: None };
    let call = b.stmt(StmtKind::Call { callee, args: vec![] });
    b.program[f].body = vec![call];
    b.scope = scope;
    let e = b.procedure("empty", ProcKind::Subroutine, ParentUnit::Module(id));
    b.program[e].prefix = Prefix { impure: true, elemental: true, recursive: true, ..Prefix::default() };
    b.program[id].procedures = vec![f, e];
    b.scope = scope;
    (b, id)
}

const BODY: &str = "  integer, parameter :: wp = 8
  real(wp) :: state

contains

  subroutine f(x)
    real(8), intent(inout) :: x

    call g()

  contains

    subroutine g()
      x = x*state
    end subroutine g

  end subroutine f

  impure elemental recursive subroutine empty()
  end subroutine empty

end module m
";

#[test]
fn a_module() {
    let (mut b, id) = module();
    b.program[id].header = vec!["Made by a test.".into()];
    let text = print::module(&b.program, id, &Style::default());
    assert_eq!(text, format!("! Made by a test.\nmodule m\n  implicit none\n{BODY}"));
    accepts(&text.replace("impure elemental recursive ", ""));
}

#[test]
fn access() {
    let (mut b, id) = module();
    let scope = b.program[id].scope;
    let state = b.program.lookup(scope, "state").expect("state");
    let empty = b.program.lookup(scope, "empty").expect("empty");
    b.program[state].private = true;
    b.program[empty].private = true;
    let text = print::module(&b.program, id, &Style::default());
    assert_eq!(text, format!("module m\n  implicit none\n  private :: state, empty\n{BODY}"));
    b.program[id].default_private = true;
    let text = print::module(&b.program, id, &Style::default());
    assert_eq!(text, format!("module m\n  implicit none\n  private\n  public :: wp, f\n{BODY}"));
}

#[test]
fn generics() {
    let (mut b, id) = module();
    let scope = b.program[id].scope;
    b.program[id].procedures.truncate(1);
    b.program[scope].names.shift_remove("empty");
    let mut specific = |name: &str, ty: Ty| {
        b.scope = scope;
        let p = b.procedure(name, ProcKind::Subroutine, ParentUnit::Module(id));
        b.program[id].procedures.push(p);
        b.proc = p;
        b.dummy("a", ty, Intent::In);
        let second = b.dummy("b", ty, Intent::In);
        let r = b.var_with("r", ty, spelling(ty), |_| {});
        b.program[p].kind = ProcKind::Function(r);
        let value = Expr::var(second, ty, 0);
        let s = b.assign(Expr::var(r, ty, 0), value);
        b.program[p].body = vec![s];
        b.program[p].sym
    };
    let (one, two, three) = (specific("one", I), specific("two", D), specific("three", L));
    b.scope = scope;
    b.add("add", SymbolKind::Generic(GenericSpec { specifics: vec![one, two], ..GenericSpec::default() }));
    let plus = GenericSpec { specifics: vec![three], operator: Some("+".into()), ..GenericSpec::default() };
    b.add("operator(+)", SymbolKind::Generic(plus));
    let text = print::module(&b.program, id, &Style::default());
    accepts(&text);
    assert!(text.contains("  interface add\n    module procedure one, two\n  end interface add\n"), "{text}");
    assert!(
        text.contains("  interface operator(+)\n    module procedure three\n  end interface operator(+)\n"),
        "{text}"
    );
    assert!(text.contains("  function one(a, b) result(r)\n    integer, intent(in) :: a\n"), "{text}");
}

#[test]
fn submodules_programs_and_bindings() {
    let (mut b, id) = module();
    b.program[id].kind = ModuleKind::Submodule { ancestor: "top".into(), parent: Some("mid".into()) };
    let text = print::module(&b.program, id, &Style { end_spaced: false, ..Style::default() });
    assert!(text.starts_with("submodule (top:mid) m\n") && text.ends_with("end submodule m\n"), "{text}");
    let mut b = Builder::new();
    let f = b.proc;
    b.program[f].bind = Some("c, name=\"f_c\"".into());
    assert_eq!(b.text(), "subroutine f() bind(c, name=\"f_c\")\n  implicit none\nend subroutine f\n");
    b.program[f].bind = None;
    b.program[f].kind = ProcKind::Program;
    let s = b.stmt(StmtKind::Stop { error: false, code: None });
    b.body(vec![s]);
    assert_eq!(b.text(), "program f\n  implicit none\n  stop\nend program f\n");
    accepts(&b.text());
}

#[test]
fn at_a_level() {
    let (b, _) = module();
    let text = print::procedure_at(&b.program, b.proc, &Style::default(), 2);
    assert!(text.starts_with("    subroutine f(x)\n      real(8), intent(inout) :: x\n\n      call g()\n"), "{text}");
    assert_eq!(print::heading(&b.program, b.proc, &Style::default()), "subroutine f(x)");
}
