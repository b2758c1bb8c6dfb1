use costate_grammar::ir::*;
use costate_grammar::operators::BinaryOp as Op;
use costate_grammar::print::{self, Style};

use crate::builder::*;
use crate::compile::accepts;

/// The text between the first and the last line of a procedure that compiles.
fn inside(b: &Builder) -> String {
    let text = b.text();
    accepts(&text);
    let lines: Vec<&str> = text.lines().collect();
    lines[1..lines.len() - 1].join("\n")
}

#[test]
fn attributes_stand_in_a_fixed_order() {
    let mut b = Builder::new();
    let n = b.dummy("n", I, Intent::In);
    b.dummy("x", D, Intent::InOut);
    let x = b.program.lookup(b.scope, "x").expect("x");
    let SymbolKind::Variable(v) = &mut b.program[x].kind else { panic!("a variable") };
    v.dims = vec![Dim::Assumed(Some(Expr::int(0))), Dim::Assumed(None)];
    v.attrs = Attrs { target: true, optional: true, contiguous: true, ..Attrs::default() };
    b.var_with("p", D, "real(8)", |v| {
        v.dims = vec![Dim::Deferred];
        v.attrs = Attrs { pointer: true, save: true, ..Attrs::default() };
        v.init = Some(Expr::new(ExprKind::Opaque("null()".into()), D, 1));
    });
    b.var_with("a", D, "real(8)", |v| {
        v.dims = vec![Dim::Deferred, Dim::Deferred];
        v.attrs = Attrs { allocatable: true, target: true, ..Attrs::default() };
    });
    b.var_with("w", D, "real(8)", |v| {
        let n = Expr::var(n, I, 0);
        v.dims = vec![Dim::Explicit(Some(Expr::int(0)), bin(Op::Add, n.clone(), Expr::int(1))), Dim::Explicit(None, n)];
    });
    b.var_with("count", I, "integer", |v| {
        v.attrs.save = true;
        v.init = Some(Expr::int(3));
    });
    let text = "  implicit none
  integer, intent(in) :: n
  real(8), target, optional, contiguous, intent(inout) :: x(0:, :)
  real(8), pointer, save :: p(:) => null()
  real(8), allocatable, target :: a(:, :)
  real(8) :: w(0:n+1, n)
  integer, save :: count = 3";
    assert_eq!(inside(&b), text);
    assert_eq!(print::declaration(&b.program, n, &Style::default()), "integer, intent(in) :: n");
}

#[test]
fn what_is_used_comes_first() {
    let mut b = Builder::new();
    let n = Handle::new(b.program.symbols.len() + 2);
    let wp = Handle::new(b.program.symbols.len() + 3);
    b.var_with("work", D, "real(wp)", |v| {
        v.spelling_uses = vec![wp];
        v.dims = vec![Dim::Explicit(None, Expr::var(n, I, 0))];
    });
    b.scalar("other", I);
    b.var_with("n", I, "integer", |v| {
        v.attrs.parameter = true;
        v.init = Some(Expr::int(4));
    });
    b.var_with("wp", I, "integer", |v| {
        v.attrs.parameter = true;
        v.init = Some(Expr::int(8));
    });
    b.var_with("half", D, "real(wp)", |v| {
        v.attrs.parameter = true;
        v.init = Some(real("0.5", Some(KindSuffix::Named(wp))));
    });
    let text = "  implicit none
  integer, parameter :: wp = 8
  integer, parameter :: n = 4
  real(wp) :: work(n)
  integer :: other
  real(wp), parameter :: half = 0.5_wp";
    assert_eq!(inside(&b), text);
}

#[test]
fn names_from_elsewhere_arent_declared() {
    let mut b = Builder::new();
    let home = b.scope;
    let module = add_module(&mut b.program, "iso_fortran_env");
    b.scope = b.program[module].scope;
    let real64 = b.scalar("real64", I);
    b.scope = home;
    b.program[home].names.insert("wp".into(), real64);
    let item = |local: &str, remote: &str| UseItem { local: local.into(), remote: remote.into() };
    let one = |module: &str, intrinsic, only, items| Use {
        module: module.into(),
        intrinsic,
        only,
        items,
        conditional: false,
        header: false,
        span: Default::default(),
    };
    let items = vec![item("wp", "real64"), item("int32", "int32")];
    b.program[home].uses = vec![
        one("iso_fortran_env", true, true, items),
        one("iso_c_binding", false, true, vec![]),
        one("ieee_arithmetic", false, false, vec![item("nan", "ieee_is_nan")]),
        one("iso_c_binding", true, false, vec![]),
    ];
    b.var_with("x", D, "real(wp)", |v| v.spelling_uses = vec![real64]);
    let text = "  use, intrinsic :: iso_fortran_env, only: wp => real64, int32
  use iso_c_binding, only:
  use ieee_arithmetic, nan => ieee_is_nan
  use, intrinsic :: iso_c_binding
  implicit none
  real(wp) :: x";
    assert_eq!(inside(&b), text);
}

#[test]
fn spellings_become_standard() {
    let mut b = Builder::new();
    for (i, spelt) in ["real*8", "integer*8", "complex*16", "character*(9)", "character*3", "double complex", ""]
        .into_iter()
        .enumerate()
    {
        b.var_with(&format!("v{i}"), Ty::new(Base::Logical, 1), spelt, |_| {});
    }
    let text = "  implicit none
  real(8) :: v0
  integer(8) :: v1
  complex(8) :: v2
  character(len=9) :: v3
  character(len=3) :: v4
  complex(8) :: v5
  logical(1) :: v6";
    assert_eq!(inside(&b), text);
}

#[test]
fn procedures_without_a_body() {
    let mut b = Builder::new();
    let home = b.scope;
    let f = b.proc;
    // An abstract interface that uses a kind of its host.
    let wp = b.var_with("wp", I, "integer", |v| {
        v.attrs.parameter = true;
        v.init = Some(Expr::int(8));
    });
    let body = add_procedure(&mut b.program, home, "shape", ProcKind::Subroutine, ParentUnit::Interface);
    b.scope = b.program[body].scope;
    let r = b.var_with("r", D, "real(wp)", |v| v.spelling_uses = vec![wp]);
    let x = b.var_with("x", D, "real(wp)", |v| {
        v.spelling_uses = vec![wp];
        v.intent = Some(Intent::In);
        v.dims = vec![Dim::Assumed(None)];
    });
    b.program[body].kind = ProcKind::Function(r);
    b.program[body].dummies = vec![x];
    b.program[body].prefix.pure_ = true;
    b.scope = home;
    let info = |i: ProcInfo| SymbolKind::Procedure(Box::new(i));
    let empty = ProcInfo::default;
    let sym = b.program.lookup(home, "shape").expect("shape");
    b.program[sym].kind = info(ProcInfo { interface: Some(body), is_abstract: true, ..empty() });
    let p = b.add("p", info(ProcInfo { interface: Some(body), dummy: Some(0), ..empty() }));
    b.program[f].dummies.push(p);
    b.add("q", info(ProcInfo { interface: Some(body), pointer: true, ..empty() }));
    b.add("ext", info(ProcInfo { external: true, ..empty() }));
    b.add("fun", info(ProcInfo { external: true, ty: Some(D), ..empty() }));
    b.add("any", info(ProcInfo { pointer: true, ..empty() }));
    b.add("sin", info(ProcInfo { intrinsic: Some(costate_grammar::intrinsics::Intrinsic::Sin), ..empty() }));
    let text = "  implicit none
  integer, parameter :: wp = 8
  abstract interface
    pure function shape(x) result(r)
      import :: wp
      implicit none
      real(wp) :: r
      real(wp), intent(in) :: x(:)
    end function shape
  end interface
  procedure(shape) :: p
  procedure(shape), pointer :: q
  external :: ext
  real(8), external :: fun
  procedure(), pointer :: any
  intrinsic :: sin";
    assert_eq!(inside(&b), text);
}

#[test]
fn a_dummy_with_an_interface_block_of_its_own() {
    let mut b = Builder::new();
    let home = b.scope;
    let body = add_procedure(&mut b.program, home, "p", ProcKind::Subroutine, ParentUnit::Interface);
    let p = b.program.lookup(home, "p").expect("p");
    let info = ProcInfo { interface: Some(body), dummy: Some(0), ..ProcInfo::default() };
    b.program[p].kind = SymbolKind::Procedure(Box::new(info));
    let f = b.proc;
    b.program[f].dummies.push(p);
    let text = "  implicit none
  interface
    subroutine p()
      implicit none
    end subroutine p
  end interface";
    assert_eq!(inside(&b), text);
}

#[test]
fn types_commons_and_statement_functions() {
    let mut b = Builder::new();
    let scalar = |name: &str, change: &dyn Fn(&mut Variable)| {
        let mut var = Variable::scalar(D, "real(8)");
        change(&mut var);
        Component::new(name.into(), var)
    };
    let base = DerivedType {
        components: vec![
            scalar("a", &|v| v.init = Some(Expr::int(0))),
            scalar("b", &|v| {
                v.dims = vec![Dim::Deferred];
                v.attrs.allocatable = true;
            }),
        ],
        ..DerivedType::default()
    };
    let later = Handle::new(b.program.symbols.len() + 1);
    let child = DerivedType { components: vec![scalar("c", &|_| {})], extends: Some(later), ..DerivedType::default() };
    b.add("child", SymbolKind::Type(Box::new(child)));
    let base = b.add("base", SymbolKind::Type(Box::new(base)));
    b.var_with("s", Ty::new(Base::Derived(base), 0), "", |_| {});
    for (name, block) in [("u", "blk"), ("v", ""), ("w", "blk")] {
        b.var_with(name, D, "real(8)", |v| {
            v.common = Some(block.into());
            v.attrs.save = true;
        });
    }
    let home = b.scope;
    let (u, w) = (b.program.lookup(home, "u").expect("u"), b.program.lookup(home, "w").expect("w"));
    b.program[home].commons.insert("blk".into(), vec![w, u]);
    b.program[home].texts = vec!["equivalence (v, x1)".into(), "!$OMP threadprivate(/blk/)".into()];
    b.scalar("x1", D);
    b.scope = b.program.add_scope(Some(home), ScopeKind::Inner);
    let t = b.scalar("t", D);
    b.scope = home;
    let te = Expr::var(t, D, 0);
    let statement_function = Some((vec![t], bin(Op::Mul, te.clone(), te)));
    let info = ProcInfo { ty: Some(D), statement_function, ..ProcInfo::default() };
    b.add("square", SymbolKind::Procedure(Box::new(info)));
    let text = "  implicit none
  type :: base
    real(8) :: a = 0
    real(8), allocatable :: b(:)
  end type base
  type, extends(base) :: child
    real(8) :: c
  end type child
  type(base) :: s
  real(8) :: u
  real(8) :: v
  real(8) :: w
  real(8) :: x1
  real(8) :: square
  common /blk/ w, u
  common v
  equivalence (v, x1)
  !$omp threadprivate(/blk/)
  real(8) :: t
  square(t) = t*t";
    assert_eq!(inside(&b), text);
}

#[test]
fn functions_declare_their_result() {
    let mut b = Builder::new();
    let f = b.proc;
    let r = b.var_with("f", D, "real(8)", |v| v.result = true);
    b.program[f].kind = ProcKind::Function(r);
    b.program[f].prefix = Prefix { elemental: true, pure_: true, ..Prefix::default() };
    b.dummy("x", D, Intent::In);
    let x = b.v("x");
    let s = b.assign(Expr::var(r, D, 0), x);
    b.body(vec![s]);
    b.program[f].header = vec!["Twice as good.".into(), String::new(), "  indented".into()];
    let text = "pure elemental function f(x)
  ! Twice as good.
  !
  !   indented
  implicit none
  real(8) :: f
  real(8), intent(in) :: x

  f = x
end function f
";
    assert_eq!(b.text(), text);
    accepts(&b.text());
}

#[test]
fn a_generic_that_bears_the_name_of_a_specific_and_of_a_type() {
    let mut b = Builder::new();
    let home = b.scope;
    let ty = b.add(
        "vec",
        SymbolKind::Type(Box::new(DerivedType {
            components: vec![Component::new("a".into(), Variable::scalar(D, "real(8)"))],
            ..DerivedType::default()
        })),
    );
    let body = add_procedure(&mut b.program, home, "vec_of", ProcKind::Subroutine, ParentUnit::Interface);
    b.scope = b.program[body].scope;
    let r = b.var_with("vec_of", Ty::new(Base::Derived(ty), 0), "type(vec)", |v| v.spelling_uses = vec![ty]);
    b.program[body].kind = ProcKind::Function(r);
    // An explicit `import` leaves the host's symbol among the body's names.
    let inner = b.scope;
    b.program[inner].names.insert("vec".into(), ty);
    b.scope = home;
    let specific = b.program.lookup(home, "vec_of").expect("vec_of");
    let info = ProcInfo { interface: Some(body), external: true, ..ProcInfo::default() };
    b.program[specific].kind = SymbolKind::Procedure(Box::new(info));
    b.add(
        "vec",
        SymbolKind::Generic(GenericSpec { specifics: vec![specific], derived: Some(ty), ..GenericSpec::default() }),
    );
    let text = "  implicit none
  type :: vec
    real(8) :: a
  end type vec
  interface
    function vec_of()
      import :: vec
      implicit none
      type(vec) :: vec_of
    end function vec_of
  end interface
  interface vec
    procedure :: vec_of
  end interface vec";
    assert_eq!(inside(&b), text);
}
