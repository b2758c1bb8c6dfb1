//! Checks of derivatives written by hand: right ones pass, wrong ones don't.

use costate_analysis::request::{parse_head, resolve};
use costate_grammar::form::ReadFile;
use costate_grammar::ir::{
    Base, Component, DerivedType, Dim, Expr, Handle, Intent, Module, ModuleId, ModuleKind, ParentUnit, Prefix,
    ProcInfo, ProcKind, Procedure, Program, ScopeKind, SymId, SymbolKind, Ty, Variable,
};
use costate_grammar::lines::FileLines;
use costate_grammar::source::{FileId, SourceFile, SourceMap, Span};

use super::{CheckOptions, Generated, Order, Report, check_generated};
use crate::pipeline::{Differentiated, HeadArg, HeadInterface, ModuleDerivative, OutputFile};

/// A program of one module `m` in one file, built by hand.
struct Maker {
    program: Program,
    sources: SourceMap,
    module: ModuleId,
    dummies: Vec<SymId>,
    proc_scope: costate_grammar::ir::ScopeId,
}

impl Maker {
    fn new(text: &str) -> Maker {
        let mut program = Program::default();
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("m.f90", text));
        let module: ModuleId = Handle::new(0);
        let scope = program.add_scope(None, ScopeKind::Module(module));
        program.module_names.insert("m".into(), module);
        program.modules.push(Module {
            name: "m".into(),
            kind: ModuleKind::Module,
            scope,
            procedures: vec![Handle::new(0)],
            file,
            span: Span::default(),
            contains: None,
            end: Span::default(),
            default_private: false,
            problems: Vec::new(),
            header: Vec::new(),
        });
        let proc_scope = program.add_scope(Some(scope), ScopeKind::Procedure(Handle::new(0)));
        Maker { program, sources, module, dummies: Vec::new(), proc_scope }
    }

    fn module_variable(&mut self, name: &str, ty: Ty) -> SymId {
        let scope = self.program[self.module].scope;
        let v = Variable::scalar(ty, "real(8)");
        self.program.add_symbol(scope, name.into(), Span::default(), SymbolKind::Variable(Box::new(v)))
    }

    fn dummy(&mut self, name: &str, ty: Ty, dims: Vec<Dim>, intent: Option<Intent>) -> SymId {
        let v = Variable { dims, intent, dummy: Some(self.dummies.len()), ..Variable::scalar(ty, "") };
        let sym =
            self.program.add_symbol(self.proc_scope, name.into(), Span::default(), SymbolKind::Variable(Box::new(v)));
        self.dummies.push(sym);
        sym
    }

    /// `n, x(n) in, y(n) out`
    fn usual(&mut self) -> [SymId; 3] {
        let n = self.dummy("n", Ty::INTEGER, Vec::new(), Some(Intent::In));
        let dims = || vec![Dim::Explicit(None, Expr::var(n, Ty::INTEGER, 0))];
        let x = self.dummy("x", Ty::DOUBLE, dims(), Some(Intent::In));
        let y = self.dummy("y", Ty::DOUBLE, dims(), Some(Intent::Out));
        [n, x, y]
    }

    /// Closes procedure `f`; a function when a result type is given.
    fn close(&mut self, result: Option<Ty>) {
        let host = self.program[self.module].scope;
        let info = ProcInfo { definition: Some(Handle::new(0)), ..ProcInfo::default() };
        let sym = self.program.add_symbol(host, "f".into(), Span::default(), SymbolKind::Procedure(Box::new(info)));
        let kind = match result {
            None => ProcKind::Subroutine,
            Some(ty) => {
                let v = Variable { result: true, ..Variable::scalar(ty, "real(8)") };
                ProcKind::Function(self.program.add_symbol(
                    self.proc_scope,
                    "f".into(),
                    Span::default(),
                    SymbolKind::Variable(Box::new(v)),
                ))
            }
        };
        self.program.procedures.push(Procedure {
            name: "f".into(),
            sym,
            scope: self.proc_scope,
            kind,
            dummies: self.dummies.clone(),
            prefix: Prefix::default(),
            bind: None,
            parent: ParentUnit::Module(self.module),
            internals: Vec::new(),
            body: Vec::new(),
            file: FileId(0),
            span: Span::default(),
            head: Span::default(),
            problems: Vec::new(),
            header: Vec::new(),
        });
    }

    fn code(&self, suffix: &str, text: &str, args: Vec<HeadArg>, module_vars: Vec<ModuleDerivative>) -> Differentiated {
        let interface = HeadInterface {
            module: Some(format!("m{suffix}")),
            procedure: format!("f{suffix}"),
            args,
            bind: None,
            module_vars,
        };
        let file = OutputFile { source: FileId(0), name: format!("m{suffix}.f90"), text: text.to_string() };
        Differentiated { files: vec![file], interfaces: vec![interface], ..Differentiated::default() }
    }

    fn check(&self, head: &str, tangent: Differentiated, adjoint: Differentiated, options: &CheckOptions) -> Report {
        let head = resolve(&self.program, &parse_head(head).unwrap()).unwrap();
        let file = FileId(0);
        let read = ReadFile { file, lines: FileLines::default(), units: Vec::new(), diagnostics: Vec::new() };
        let report =
            check_generated(&self.program, &self.sources, &[read], &[head], &Generated { tangent, adjoint }, options)
                .unwrap_or_else(|d| panic!("{}", costate_grammar::diag::render::human(&d, &self.sources, false)));
        println!("{report}");
        report
    }
}

/// Statements as the body of `f<suffix>(list)` in module `m<suffix>`.
fn unit(suffix: &str, list: &str, declarations: &str, body: &str) -> String {
    format!(
        "module m{suffix}\n  use m\n  implicit none\n  real(8) :: v{suffix} = 0\ncontains\n  subroutine f{suffix}({list})\n{declarations}\n{body}\n  end subroutine\nend module\n"
    )
}

const USUAL: &str = "module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    do i = 1, n
      y(i) = sin(x(i))*x(1)
    end do
  end subroutine
end module
";

fn usual(tangent: &str, adjoint: &str) -> Report {
    let mut m = Maker::new(USUAL);
    let [n, x, y] = m.usual();
    m.close(None);
    let args = || {
        vec![HeadArg::Primal(n), HeadArg::Primal(x), HeadArg::Derivative(x), HeadArg::Primal(y), HeadArg::Derivative(y)]
    };
    let declare = |s: &str, intent: &str| {
        format!(
            "integer, intent(in) :: n\nreal(8) :: x(n), y(n)\nreal(8), intent({intent}) :: x{s}(n)\nreal(8), intent(inout) :: y{s}(n)\ninteger :: i"
        )
    };
    let t = unit("_d", "n, x, x_d, y, y_d", &declare("_d", "in"), tangent);
    let b = unit("_b", "n, x, x_b, y, y_b", &declare("_b", "inout"), adjoint);
    m.check(
        "m::f(y)/(x)",
        m.code("_d", &t, args(), Vec::new()),
        m.code("_b", &b, args(), Vec::new()),
        &CheckOptions::default(),
    )
}

const TANGENT: &str = "do i = 1, n
  y_d(i) = cos(x(i))*x_d(i)*x(1) + sin(x(i))*x_d(1)
  y(i) = sin(x(i))*x(1)
end do";

const ADJOINT: &str = "do i = n, 1, -1
  x_b(1) = x_b(1) + sin(x(i))*y_b(i)
  x_b(i) = x_b(i) + cos(x(i))*x(1)*y_b(i)
  y_b(i) = 0
end do";

#[test]
fn right_derivatives_pass() {
    let report = usual(TANGENT, ADJOINT);
    let head = &report.heads[0];
    assert!(head.passed && report.passed());
    assert!(matches!(head.whole.order, Order::Power(p) if (p - 2.0).abs() < 0.05), "{:?}", head.whole.order);
    assert!(head.whole.tangent_error < 1e-8 && head.whole.dot_error < 1e-14);
    assert_eq!((head.pairs[0].input.as_str(), head.pairs[0].output.as_str()), ("x", "y"));
}

#[test]
fn a_dropped_tangent_term_fails() {
    let head = &usual(&TANGENT.replace(" + sin(x(i))*x_d(1)", ""), ADJOINT).heads[0];
    assert!(!head.passed && head.whole.tangent_error > 1e-3);
    assert!(matches!(head.whole.order, Order::Power(p) if (p - 1.0).abs() < 0.05), "{:?}", head.whole.order);
}

#[test]
fn a_slightly_wrong_tangent_fails() {
    let wrong = TANGENT.replace("sin(x(i))*x_d(1)", "1.000001d0*sin(x(i))*x_d(1)");
    assert!(!usual(&wrong, ADJOINT).heads[0].passed);
}

#[test]
fn a_dropped_adjoint_term_fails() {
    let head = &usual(TANGENT, &ADJOINT.replace("x_b(1) = x_b(1) + sin(x(i))*y_b(i)", "")).heads[0];
    assert!(!head.passed && head.whole.dot_error > 1e-3 && head.whole.tangent_error < 1e-8);
}

fn found(report: &Report, text: &str) {
    let messages: Vec<&str> = report.heads[0].findings.iter().map(|f| f.message.as_str()).collect();
    assert_eq!(messages, [text]);
    assert!(!report.passed());
}

#[test]
fn an_overwritten_increment_fails() {
    let report = usual(TANGENT, &format!("x_b = 0\n{ADJOINT}"));
    found(&report, "the adjoint of `x` isn't increased by its increment: what it held on entry is lost");
}

#[test]
fn an_output_adjoint_that_stays_fails() {
    found(&usual(TANGENT, &ADJOINT.replace("y_b(i) = 0", "")), "the adjoint of the output `y` isn't zero on exit");
}

#[test]
fn a_tangent_that_loses_the_primal_fails() {
    let report = usual(&TANGENT.replace("y(i) = sin(x(i))*x(1)", "y(i) = 0"), ADJOINT);
    found(&report, "the tangent computes another value of `y` than the primal");
}

#[test]
fn leaked_state_fails() {
    let leaking =
        format!("v_b = v_b + 1d0\n{}", ADJOINT.replace("x_b(1) = x_b(1) + ", "if (v_b < 1.5d0) x_b(1) = x_b(1) + "));
    let report = usual(TANGENT, &leaking);
    let messages: Vec<&str> = report.heads[0].findings.iter().map(|f| f.message.as_str()).collect();
    assert!(messages.contains(&"a second run of the adjoint gives another adjoint of `x`"), "{messages:?}");
}

#[test]
fn a_tangent_and_adjoint_that_agree_with_each_other_only_fail() {
    let tangent = TANGENT.replace("cos(x(i))", "sin(x(i))");
    let adjoint = ADJOINT.replace("cos(x(i))", "sin(x(i))");
    let head = &usual(&tangent, &adjoint).heads[0];
    assert!(!head.passed && head.whole.dot_error < 1e-14);
}

/// A derived type, an inout argument, a module variable and a block without influence.
fn state(adjoint: &str) -> Report {
    let text = "module m
  implicit none
  type state
    integer :: k = 3
    real(8) :: t
    real(8), allocatable :: q(:)
  end type
  real(8) :: v
contains
  subroutine f(s, z, e)
    type(state), intent(inout) :: s
    real(8), intent(inout) :: z(:)
    real(8), intent(out) :: e
    e = s%t**2*v
    s%q = s%q*s%t
    z = 2d0*z
  end subroutine
end module
";
    let mut m = Maker::new(text);
    let v = m.module_variable("v", Ty::DOUBLE);
    let integer = Variable { init: Some(Expr::int(3)), ..Variable::scalar(Ty::INTEGER, "integer") };
    let mut q = Variable { dims: vec![Dim::Deferred], ..Variable::scalar(Ty::DOUBLE, "real(8)") };
    q.attrs.allocatable = true;
    let component = |name: &str, var| Component { name: name.into(), var };
    let ty = DerivedType {
        components: vec![
            component("k", integer),
            component("t", Variable::scalar(Ty::DOUBLE, "real(8)")),
            component("q", q),
        ],
        ..DerivedType::default()
    };
    let scope = m.program[m.module].scope;
    let ty = m.program.add_symbol(scope, "state".into(), Span::default(), SymbolKind::Type(Box::new(ty)));
    let s = m.dummy("s", Ty::new(Base::Derived(ty), 0), Vec::new(), Some(Intent::InOut));
    let z = m.dummy("z", Ty::DOUBLE, vec![Dim::Assumed(None)], Some(Intent::InOut));
    let e = m.dummy("e", Ty::DOUBLE, Vec::new(), Some(Intent::Out));
    m.close(None);
    let args = || {
        let both = |s| [HeadArg::Primal(s), HeadArg::Derivative(s)];
        [both(s), both(z), both(e)].concat()
    };
    let declare =
        |s: &str| format!("type(state), intent(inout) :: s, s{s}\nreal(8), intent(inout) :: z(:), z{s}(:), e, e{s}");
    let tangent = "e_d = 2*s%t*s_d%t*v + s%t**2*v_d
      e = s%t**2*v
      s_d%q = s_d%q*s%t + s%q*s_d%t
      s%q = s%q*s%t
      z_d = 2d0*z_d
      z = 2d0*z";
    let t = unit("_d", "s, s_d, z, z_d, e, e_d", &declare("_d"), tangent);
    let b = unit("_b", "s, s_b, z, z_b, e, e_b", &declare("_b"), adjoint);
    let var =
        |suffix: &str| vec![ModuleDerivative { primal: v, module: format!("m{suffix}"), name: format!("v{suffix}") }];
    let options = CheckOptions {
        sizes: vec![("s%q".to_string(), vec![5])],
        values: vec![("m::v".to_string(), "1d6".to_string())],
        ..CheckOptions::default()
    };
    m.check(
        "f(e, s, z)/(s, m::v, z)",
        m.code("_d", &t, args(), var("_d")),
        m.code("_b", &b, args(), var("_b")),
        &options,
    )
}

const STATE_ADJOINT: &str = "z_b = 2d0*z_b
      s_b%t = s_b%t + sum(s%q*s_b%q)
      s_b%q = s_b%q*s%t
      s_b%t = s_b%t + 2*s%t*v*e_b
      v_b = v_b + s%t**2*e_b
      e_b = 0";

#[test]
fn components_and_module_variables_are_groups() {
    let report = state(STATE_ADJOINT);
    let head = &report.heads[0];
    assert!(report.passed());
    let row = |input: &str, output: &str| {
        head.pairs.iter().find(|p| p.input == input && p.output == output).map(|p| p.figures).unwrap()
    };
    assert_eq!(head.pairs.len(), 16);
    assert!(row("m::v", "e").influence && row("s%q", "s%q").influence);
    assert!(!row("m::v", "z").influence && !row("s%q", "e").influence);
    assert_eq!(row("z", "z").order, Order::Linear);
}

#[test]
fn a_wrong_small_block_isnt_hidden_by_large_ones() {
    // The adjoint of s%q is of size 1 beside an output of size 1e6.
    let report = state(&STATE_ADJOINT.replace("s_b%q = s_b%q*s%t", "s_b%q = s_b%q*s%t*(1 + 1d-9)"));
    let wrong: Vec<(&str, &str)> = report.heads[0]
        .pairs
        .iter()
        .filter(|p| !p.figures.passed)
        .map(|p| (p.input.as_str(), p.output.as_str()))
        .collect();
    assert_eq!(wrong, [("s%q", "s%q")]);
}

#[test]
fn a_function_result_is_an_output() {
    let mut m = Maker::new(
        "module m\n  implicit none\ncontains\n  function f(x)\n    real, intent(in) :: x(:)\n    real :: f\n    f = sum(x**2)\n  end function\nend module\n",
    );
    let x = m.dummy("x", Ty::REAL, vec![Dim::Assumed(None)], Some(Intent::In));
    m.close(Some(Ty::REAL));
    let t = unit("_d", "x, x_d, r, r_d", "real :: x(:), x_d(:), r, r_d", "r_d = 2*sum(x*x_d)\nr = sum(x**2)");
    let b = unit("_b", "x, x_b, r_b", "real :: x(:), x_b(:), r_b", "x_b = x_b + 2*x*r_b\nr_b = 0");
    let start = || vec![HeadArg::Primal(x), HeadArg::Derivative(x)];
    let tangent = [start(), vec![HeadArg::PrimalResult, HeadArg::DerivativeResult]].concat();
    let adjoint = [start(), vec![HeadArg::DerivativeResult]].concat();
    let (t, b) = (m.code("_d", &t, tangent, Vec::new()), m.code("_b", &b, adjoint, Vec::new()));
    assert!(m.check("f", t, b, &CheckOptions::default()).passed());
}

#[test]
fn values_outside_the_domain_are_reported() {
    let mut m = Maker::new(&USUAL.replace("sin(x(i))*x(1)", "log(x(i) - 2d0)"));
    let [n, x, y] = m.usual();
    m.close(None);
    let args = || {
        vec![HeadArg::Primal(n), HeadArg::Primal(x), HeadArg::Derivative(x), HeadArg::Primal(y), HeadArg::Derivative(y)]
    };
    let declare = |s: &str| format!("integer :: n\nreal(8) :: x(n), y(n), x{s}(n), y{s}(n)");
    let t = m.code(
        "_d",
        &unit("_d", "n, x, x_d, y, y_d", &declare("_d"), "y_d = x_d/(x - 2d0)\ny = log(x - 2d0)"),
        args(),
        Vec::new(),
    );
    let b = m.code(
        "_b",
        &unit("_b", "n, x, x_b, y, y_b", &declare("_b"), "x_b = x_b + y_b/(x - 2d0)\ny_b = 0"),
        args(),
        Vec::new(),
    );
    let head = resolve(&m.program, &parse_head("f").unwrap()).unwrap();
    let read = ReadFile { file: FileId(0), lines: FileLines::default(), units: Vec::new(), diagnostics: Vec::new() };
    let both = Generated { tangent: t, adjoint: b };
    let d = check_generated(
        &m.program,
        &m.sources,
        std::slice::from_ref(&read),
        std::slice::from_ref(&head),
        &both,
        &CheckOptions::default(),
    )
    .unwrap_err();
    assert_eq!(d[0].message, "`f` gives no finite numbers at the values that were drawn");
    let options = CheckOptions { values: vec![("x".to_string(), "3.0:4.0".to_string())], ..CheckOptions::default() };
    assert!(check_generated(&m.program, &m.sources, &[read], &[head], &both, &options).unwrap().passed());
}
