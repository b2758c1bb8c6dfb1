//! Checks of derivatives written by hand: right ones pass, wrong ones don't.

use costate_analysis::request::{Head, parse_head, resolve};
use costate_grammar::diag::{Diagnostic, render};
use costate_grammar::form::{ReadFile, ReadOptions, read};
use costate_grammar::ir::{ProcKind, Program};
use costate_grammar::source::{FileId, SourceMap};

use super::{CheckOptions, Flags, Generated, Order, Parts, Report, Variant, Verdict, check_generated};
use crate::differentiated::{Differentiated, HeadArg, HeadInterface, ModuleDerivative, OutputFile};
use crate::mode::Mode;
use crate::options::Options;
use crate::pipeline::{differentiate, load};

/// A program and derivatives written by hand.
pub(super) struct Case {
    program: Program,
    sources: SourceMap,
    files: Vec<ReadFile>,
    head: Head,
    generated: Generated,
}

impl Case {
    pub(super) fn new(text: &str, head: &str) -> Case {
        let mut sources = SourceMap::default();
        let files = vec![read(&mut sources, "m.f90", text.to_string(), &ReadOptions::default())];
        assert_eq!(files[0].diagnostics, []);
        let program = load(&mut sources, &files, &Options::default()).unwrap();
        let head = resolve(&program, &parse_head(head).unwrap()).unwrap();
        Case { program, sources, files, head, generated: Generated::default() }
    }

    /// Derivative code of one mode. `args` are the procedure's arguments in order; a name with the suffix is a derivative.
    fn code(&self, suffix: &str, args: &str, text: &str) -> Differentiated {
        let procedure = &self.program[self.head.proc];
        let result = match procedure.kind {
            ProcKind::Function(r) => Some(self.program[r].name.to_string()),
            ProcKind::Subroutine | ProcKind::Program => None,
        };
        let mut list = Vec::new();
        for arg in args.split_whitespace() {
            let (name, derivative) = arg.strip_suffix(suffix).map_or((arg, false), |n| (n, true));
            let sym = procedure.dummies.iter().copied().find(|&d| self.program[d].name.as_str() == name);
            list.push(match (sym, derivative) {
                (Some(s), false) => HeadArg::Primal(s),
                (Some(s), true) => HeadArg::Derivative(s),
                (None, false) => HeadArg::PrimalResult,
                (None, true) => HeadArg::DerivativeResult,
            });
            assert!(sym.is_some() || result.as_deref() == Some(name), "{arg}");
        }
        let module = text.contains(&format!("module m{suffix}")).then(|| format!("m{suffix}"));
        let variable =
            self.program.module_names.get("m").and_then(|&m| self.program.lookup(self.program[m].scope, "v"));
        let derivative = |primal| ModuleDerivative { primal, module: format!("m{suffix}"), name: format!("v{suffix}") };
        let interface = HeadInterface {
            bind: procedure.bind.as_ref().map(|_| format!("c, name=\"f{suffix}\"")),
            module,
            procedure: format!("f{suffix}"),
            args: list,
            module_vars: variable.map(derivative).into_iter().collect(),
        };
        let file = OutputFile { source: FileId(0), name: format!("m{suffix}.f90"), text: text.to_string() };
        Differentiated { files: vec![file], interfaces: vec![interface], ..Differentiated::default() }
    }

    /// Generates code for the head and checks it, as the command does.
    pub(super) fn check_whole(&self, options: &CheckOptions) -> Report {
        let heads = std::slice::from_ref(&self.head);
        super::check(&self.program, &self.sources, &self.files, heads, options).unwrap()
    }

    pub(super) fn with(mut self, args: [&str; 2], tangent: &str, adjoint: &str) -> Case {
        self.generated = Generated {
            tangent: self.code("_d", args[0], tangent),
            adjoint: self.code("_b", args[1], adjoint),
            ..Generated::default()
        };
        self
    }

    /// Generated code, after some damage.
    pub(super) fn generate(mut self, damage: [&dyn Fn(&str) -> String; 2]) -> Case {
        let heads = std::slice::from_ref(&self.head);
        let [tangent, adjoint] = [(Mode::Tangent, damage[0]), (Mode::Adjoint, damage[1])].map(|(mode, damage)| {
            let program = &mut self.program.clone();
            let code = differentiate(program, &self.sources, &self.files, heads, mode, &Options::default());
            let mut code = code.unwrap_or_else(|d| panic!("{}", render::human(&d, &self.sources, false)));
            code.files.iter_mut().for_each(|f| f.text = damage(&f.text));
            code
        });
        self.generated = Generated { tangent, adjoint, ..Generated::default() };
        self
    }

    pub(super) fn try_check(&self, options: &CheckOptions) -> Result<Report, Vec<Diagnostic>> {
        let mut options = CheckOptions { parts: Parts::shared(), ..options.clone() };
        if options.variants.is_empty() {
            let flags = ["-O1", "-g"].map(str::to_string).to_vec();
            options.variants = vec![Flags { variant: Variant::Optimised, flags }];
        }
        let options = &options;
        check_generated(
            &self.program,
            &self.sources,
            &self.files,
            std::slice::from_ref(&self.head),
            &self.generated,
            options,
        )
    }

    pub(super) fn check(&self, options: &CheckOptions) -> Report {
        let report = self.try_check(options).unwrap_or_else(|d| panic!("{}", render::human(&d, &self.sources, false)));
        println!("{report}");
        report
    }
}

/// Statements as the body of `f<suffix>(list)` in module `m<suffix>`.
pub(super) fn unit(suffix: &str, list: &str, declarations: &str, body: &str) -> String {
    format!(
        "module m{suffix}\n  use m\n  implicit none\n  real(8) :: v{suffix} = 0\ncontains\n  subroutine f{suffix}({list})\n{declarations}\n{body}\n  end subroutine\nend module\n"
    )
}

pub(super) const USUAL: &str = "module m
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
    let declare = |s: &str, intent: &str| {
        format!(
            "integer, intent(in) :: n\nreal(8) :: x(n), y(n)\nreal(8), intent({intent}) :: x{s}(n)\nreal(8), intent(inout) :: y{s}(n)\ninteger :: i"
        )
    };
    let t = unit("_d", "n, x, x_d, y, y_d", &declare("_d", "in"), tangent);
    let b = unit("_b", "n, x, x_b, y, y_b", &declare("_b", "inout"), adjoint);
    Case::new(USUAL, "m::f(y)/(x)").with(["n x x_d y y_d", "n x x_b y y_b"], &t, &b).check(&CheckOptions::default())
}

pub(super) const TANGENT: &str = "do i = 1, n
  y_d(i) = cos(x(i))*x_d(i)*x(1) + sin(x(i))*x_d(1)
  y(i) = sin(x(i))*x(1)
end do";

pub(super) const ADJOINT: &str = "do i = n, 1, -1
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
    let options = CheckOptions {
        generate: Options { sizes: vec![("s%q".to_string(), vec![5])], ..Options::default() },
        values: vec![("m::v".to_string(), "1d6".to_string())],
        ..CheckOptions::default()
    };
    let case = Case::new(text, "f(e, s, z)/(s, m::v, z)");
    case.with(["s s_d z z_d e e_d", "s s_b z z_b e e_b"], &t, &b).check(&options)
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
    assert_eq!((row("m::v", "e").verdict, row("s%q", "s%q").verdict), (Verdict::Right, Verdict::Right));
    assert_eq!((row("m::v", "z").verdict, row("s%q", "e").verdict), (Verdict::NoInfluence, Verdict::NoInfluence));
    assert_eq!(row("z", "z").order, Order::Linear);
}

#[test]
fn a_wrong_small_block_isnt_hidden_by_large_ones() {
    // The adjoint of s%q is of size 1 beside an output of size 1e6.
    let report = state(&STATE_ADJOINT.replace("s_b%q = s_b%q*s%t", "s_b%q = s_b%q*s%t*(1 + 1d-9)"));
    let wrong: Vec<(&str, &str)> = report.heads[0]
        .pairs
        .iter()
        .filter(|p| p.figures.verdict == Verdict::Wrong)
        .map(|p| (p.input.as_str(), p.output.as_str()))
        .collect();
    assert_eq!(wrong, [("s%q", "s%q")]);
}

#[test]
fn a_function_result_is_an_output() {
    let text = "module m\n  implicit none\ncontains\n  function f(x)\n    real, intent(in) :: x(:)\n    real :: f\n    f = sum(x**2)\n  end function\nend module\n";
    let t = unit("_d", "x, x_d, r, r_d", "real :: x(:), x_d(:), r, r_d", "r_d = 2*sum(x*x_d)\nr = sum(x**2)");
    let b = unit("_b", "x, x_b, r_b", "real :: x(:), x_b(:), r_b", "x_b = x_b + 2*x*r_b\nr_b = 0");
    let case = Case::new(text, "f").with(["x x_d f f_d", "x x_b f_b"], &t, &b);
    assert!(case.check(&CheckOptions::default()).passed());
}

#[test]
fn values_outside_the_domain_are_reported() {
    let text = USUAL.replace("sin(x(i))*x(1)", "log(x(i) - 2d0)");
    let declare = |s: &str| format!("integer :: n\nreal(8) :: x(n), y(n), x{s}(n), y{s}(n)");
    let t = unit("_d", "n, x, x_d, y, y_d", &declare("_d"), "y_d = x_d/(x - 2d0)\ny = log(x - 2d0)");
    let b = unit("_b", "n, x, x_b, y, y_b", &declare("_b"), "x_b = x_b + y_b/(x - 2d0)\ny_b = 0");
    let case = Case::new(&text, "f").with(["n x x_d y y_d", "n x x_b y y_b"], &t, &b);
    let d = case.try_check(&CheckOptions::default()).unwrap_err();
    assert_eq!(d[0].message, "`f` gives no finite numbers at the values that were drawn");
    let options = CheckOptions { values: vec![("x".to_string(), "3.0:4.0".to_string())], ..CheckOptions::default() };
    assert!(case.check(&options).passed());
}

#[test]
fn an_external_procedure_gets_an_interface_where_it_needs_one() {
    for (bind, args, extent) in [
        (" bind(c, name=\"f\")", "integer(c_int), intent(in) :: n\n", "n"),
        ("", "integer(c_int), intent(in) :: n\n", "n"),
        ("", "integer(c_int), intent(in) :: n\n", ":"),
    ] {
        let head =
            format!("subroutine f(n, x, y){bind}\nuse iso_c_binding, only: c_int, c_double\nimplicit none\n{args}");
        let text = format!(
            "{head}real(c_double), intent(in) :: x({extent})\nreal(c_double), intent(out) :: y({extent})\ny = x**3\nend subroutine\n"
        );
        let other = |s: &str, body: &str| {
            let bind = bind.replace("\"f\"", &format!("\"f{s}\""));
            format!(
                "subroutine f{s}(n, x, x{s}, y, y{s}){bind}\nuse iso_c_binding\nimplicit none\n{args}real(c_double) :: x({extent}), x{s}({extent}), y({extent}), y{s}({extent})\n{body}\nend subroutine\n"
            )
        };
        let t = other("_d", "y_d = 3*x**2*x_d\ny = x**3");
        let b = other("_b", "x_b = x_b + 3*x**2*y_b\ny_b = 0");
        let case = Case::new(&text, "f(y)/(x)").with(["n x x_d y y_d", "n x x_b y y_b"], &t, &b);
        assert!(case.check(&CheckOptions::default()).passed());
    }
}

#[test]
fn shapes_bounds_and_allocatable_outputs() {
    let text = "module sizes
  implicit none
  integer, parameter :: halo = 2
  integer, parameter :: wide = halo + 1
  integer, parameter :: wp = kind(1d0)
end module
module m
  use sizes
  implicit none
contains
  subroutine f(ims, ime, its, ite, a, c, idx, p, q)
    integer, intent(in) :: ims, ime, its, ite
    integer, intent(in) :: idx(ite)
    real(wp), intent(in) :: a(ims-halo:ime+halo, 0:size(idx) + wide - 3)
    complex(wp), intent(inout) :: c(its:*)
    real(wp), pointer, intent(in) :: p(:)
    real(wp), allocatable, intent(out) :: q(:)
    integer :: i
    allocate(q(its:ite))
    do i = its, ite
      q(i) = a(i, idx(i))**2*p(i) + aimag(c(i))
      c(i) = c(i)*a(i, 0)
    end do
  end subroutine
end module
program main
  use m
  stop 'not the driver'
end program
";
    let declare = |s: &str| {
        format!(
            "integer :: ims, ime, its, ite, idx(ite), i\nreal(8) :: a(ims-halo:ime+halo, 0:size(idx)), a{s}(ims-halo:ime+halo, 0:size(idx))\ncomplex(8) :: c(its:*), c{s}(its:*)\nreal(8), pointer :: p(:), p{s}(:)\n"
        )
    };
    let t = unit(
        "_d",
        "ims, ime, its, ite, a, a_d, c, c_d, idx, p, p_d, q, q_d",
        &(declare("_d") + "real(8), allocatable, intent(out) :: q(:), q_d(:)"),
        "allocate(q(its:ite), q_d(its:ite))
        do i = its, ite
          q_d(i) = 2*a(i, idx(i))*a_d(i, idx(i))*p(i) + a(i, idx(i))**2*p_d(i) + aimag(c_d(i))
          q(i) = a(i, idx(i))**2*p(i) + aimag(c(i))
          c_d(i) = c_d(i)*a(i, 0) + c(i)*a_d(i, 0)
          c(i) = c(i)*a(i, 0)
        end do",
    );
    let b = unit(
        "_b",
        "ims, ime, its, ite, a, a_b, c, c_b, idx, p, p_b, q, q_b",
        &(declare("_b") + "real(8), allocatable :: q(:), q_b(:)"),
        "do i = ite, its, -1
          a_b(i, 0) = a_b(i, 0) + real(conjg(c(i))*c_b(i))
          c_b(i) = c_b(i)*a(i, 0)
          a_b(i, idx(i)) = a_b(i, idx(i)) + 2*a(i, idx(i))*p(i)*q_b(i)
          p_b(i) = p_b(i) + a(i, idx(i))**2*q_b(i)
          c_b(i) = c_b(i) + cmplx(0d0, q_b(i), 8)
          q_b(i) = 0
        end do",
    );
    let case = Case::new(text, "m::f(q, c)/(a, p, c)").with(
        ["ims ime its ite a a_d c c_d idx p p_d q q_d", "ims ime its ite a a_b c c_b idx p p_b q q_b"],
        &t,
        &b,
    );
    assert!(case.check(&CheckOptions::default()).passed());
}

#[test]
fn the_module_of_the_runtime_library_is_built_where_it_is_used() {
    let t = format!("! {}", "costate_rt_quad\n")
        + &unit(
            "_d",
            "n, x, x_d, y, y_d",
            "integer :: n\nreal(8) :: x(n), y(n), x_d(n), y_d(n)\ninteger :: i",
            TANGENT,
        );
    let t = t.replace("use m\n", "use m\n  use costate_rt, only: costate_tape\n");
    let b =
        unit("_b", "n, x, x_b, y, y_b", "integer :: n\nreal(8) :: x(n), y(n), x_b(n), y_b(n)\ninteger :: i", ADJOINT);
    let mut case = Case::new(USUAL, "f(y)/(x)").with(["n x x_d y y_d", "n x x_b y y_b"], &t, &b);
    let build = |case: &Case| {
        let order = case.files.iter().map(|f| f.file).collect::<Vec<_>>();
        let program = (&case.program, &case.sources);
        let options = CheckOptions::default();
        let build = super::build::Build::new(&options, program, &order, &case.generated, &[]).unwrap();
        build.compile(&Flags { variant: Variant::Optimised, flags: Vec::new() }).map(|_| ())
    };
    assert!(build(&case).is_err());
    case.generated.tangent.uses_runtime = true;
    build(&case).unwrap();
}

#[test]
fn adjoints_of_allocatable_outputs_may_be_freed_and_their_shape_must_hold() {
    let text = "module m
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(:)
    real(8), allocatable, intent(out) :: y(:)
    y = x**2
  end subroutine
end module
";
    let declare = |s: &str| format!("real(8) :: x(:), x{s}(:)\nreal(8), allocatable :: y(:), y{s}(:)");
    let b = unit("_b", "x, x_b, y, y_b", &declare("_b"), "x_b = x_b + 2*x*y_b\ndeallocate(y_b)");
    let check = |tangent: &str| {
        let t = unit("_d", "x, x_d, y, y_d", &declare("_d"), tangent);
        Case::new(text, "f(y)/(x)").with(["x x_d y y_d", "x x_b y y_b"], &t, &b).try_check(&CheckOptions::default())
    };
    assert!(check("y_d = 2*x*x_d\ny = x**2").unwrap().passed());
    let d = check("y_d = [2*x(1)*x_d(1)]\ny = x**2").unwrap_err();
    assert_eq!(d[0].code, costate_grammar::diag::Code::CheckFailed);
    assert!(d[0].message.ends_with("the tangent gives an output and its derivative different shapes"));
}
