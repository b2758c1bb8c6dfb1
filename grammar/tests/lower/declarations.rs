use super::{DOUBLE, body, int, lower, lower_files};
use costate_grammar::ir::{Base, Dim, Intent, ProcKind, SymbolKind, Ty};
use costate_grammar::lower::{Const, fold};

#[test]
fn kinds_are_folded() {
    let f = body(
        "use iso_fortran_env, only: real64, i8 => int64
use iso_c_binding
integer, parameter :: wp = selected_real_kind(15, 307), sp = kind(1.0), ip = selected_int_kind(9), q = 2*sp
real(wp) :: a
real*8 b
double precision :: c
real(kind=kind(a)) :: d
real(real64) :: e
integer(i8) :: f
integer(c_int) :: g
real(sp) :: h
complex(wp) :: k
integer(ip) :: l
real(q) :: m
complex*16 n
logical(c_bool) :: o
character(len=*, kind=c_char), parameter :: p = 'abc'
integer :: r(len(p))",
        "",
    );
    for name in ["a", "b", "c", "d", "e", "m"] {
        assert_eq!(f.var("s", name).ty, DOUBLE, "{name}");
    }
    assert_eq!(f.var("s", "f").ty, int(8));
    assert_eq!(f.var("s", "g").ty, int(4));
    assert_eq!(f.var("s", "h").ty, Ty::REAL);
    assert_eq!(f.var("s", "l").ty, int(4));
    for name in ["k", "n"] {
        assert_eq!(f.var("s", name).ty, Ty::new(Base::Complex, 8), "{name}");
    }
    assert_eq!(f.var("s", "o").ty, Ty::new(Base::Logical, 1));
    let Dim::Explicit(None, hi) = &f.var("s", "r").dims[0] else { panic!() };
    assert_eq!(fold(&f.program, hi), Some(Const::Int(3)));
}

#[test]
fn spellings_are_standard_and_say_what_they_use() {
    let f = body(
        "integer, parameter :: wp = 8\nreal( KIND = WP ) :: a\nreal*8 b\ncomplex*16 c\ncharacter*10 d\ncharacter :: e*(4)\nlogical*1 l",
        "",
    );
    let spelt: Vec<&str> = ["a", "b", "c", "d", "e", "l"].iter().map(|n| f.var("s", n).spelling.as_str()).collect();
    assert_eq!(
        spelt,
        ["real(kind=wp)", "real(8)", "complex(8)", "character(len=10)", "character(len=4)", "logical(1)"]
    );
    assert_eq!(f.var("s", "a").spelling_uses, [f.sym("s", "wp")]);
}

#[test]
fn attributes_in_declarations_and_in_statements() {
    let f = lower(
        "subroutine s(a, b, c, n)
integer, intent(in) :: n
real, intent(inout), target :: a(n)
real b, c
dimension b(0:n, *)
intent(out) b
optional c
real, allocatable :: d(:)
real, save :: e = 1.0
pointer f
real f(:)
end subroutine
",
    );
    let a = f.var("s", "a");
    assert_eq!((a.intent, a.dummy, a.attrs.target), (Some(Intent::InOut), Some(0), true));
    let b = f.var("s", "b");
    assert_eq!((b.intent, b.dummy), (Some(Intent::Out), Some(1)));
    assert!(matches!(b.dims.as_slice(), [Dim::Explicit(Some(_), _), Dim::AssumedSize(None)]));
    assert!(f.var("s", "c").attrs.optional);
    assert_eq!(f.var("s", "d").dims, [Dim::Deferred]);
    let e = f.var("s", "e");
    assert!(e.attrs.save && e.init.is_some());
    assert!(f.var("s", "f").attrs.pointer && f.var("s", "f").dims == [Dim::Deferred]);
}

#[test]
fn bounds_may_come_before_the_types_of_their_names() {
    let f = lower("subroutine s(a, n)\nimplicit none\nreal :: a(n)\ninteger(8) :: n\na = 1\nend subroutine\n");
    let Dim::Explicit(None, hi) = &f.var("s", "a").dims[0] else { panic!() };
    assert_eq!(f.show(hi), "n");
    assert_eq!(f.var("s", "n").ty, int(8));
}

#[test]
fn implicit_types() {
    let f = lower("subroutine s(x, i)\nimplicit real(8) (a-h, o-z)\ny = x + i\nz1 = y\nend subroutine\n");
    for name in ["x", "y", "z1"] {
        assert_eq!(f.var("s", name).ty, DOUBLE, "{name}");
    }
    assert_eq!(f.var("s", "i").ty, Ty::INTEGER);
    assert_eq!(f.var("s", "y").spelling, "real(8)");
    let g = lower("subroutine s(x, i)\ny = x\nend subroutine\n");
    assert_eq!((g.var("s", "x").ty, g.var("s", "y").ty, g.var("s", "i").ty), (Ty::REAL, Ty::REAL, Ty::INTEGER));
}

#[test]
fn storage_association() {
    let f = lower(
        "subroutine s\nreal a(3), b, c, d(4), e(2)\ninteger i\ncommon /blk/ a, b\ncommon c\nequivalence (d(1), e)\ndata d /4*0.5/, i /7/\nsave\nend subroutine\n",
    );
    assert_eq!(f.var("s", "a").common.as_deref(), Some("blk"));
    assert_eq!(f.var("s", "c").common.as_deref(), Some(""));
    assert!(f.var("s", "d").equivalenced && f.var("s", "e").equivalenced);
    assert!(f.var("s", "d").data && f.var("s", "i").data);
    assert_eq!(f.show(f.var("s", "i").init.as_ref().expect("its value")), "7");
    assert!(f.var("s", "e").attrs.save);
}

#[test]
fn enums_are_constants() {
    let f = body("enum, bind(c)\n enumerator :: red = 4, blue\n enumerator green\nend enum\ninteger :: x(green)", "");
    let Dim::Explicit(None, hi) = &f.var("s", "x").dims[0] else { panic!() };
    assert_eq!(fold(&f.program, hi), Some(Const::Int(6)));
}

#[test]
fn derived_types() {
    let f = lower(
        "module m
implicit none
private
type, public :: base
  real(8) :: a(3) = 0d0
  integer, pointer :: p(:) => null()
contains
  procedure :: norm
  procedure, nopass :: make => build
  generic :: operator(+) => plus
  procedure :: plus
end type
type, extends(base) :: more
  type(more), pointer :: next => null()
end type
contains
real(8) function norm(this)
  class(base), intent(in) :: this
  norm = this%a(1)
end function
subroutine build()
end subroutine
type(base) function plus(x, y)
  class(base), intent(in) :: x
  type(base), intent(in) :: y
  plus%a = x%a + y%a
end function
end module
",
    );
    let (_, m) = f.program.modules().next().expect("a module");
    let base = f.program[m.scope].names["base"];
    let more = f.program[m.scope].names["more"];
    assert!(!f.program[base].private && f.program[more].private);
    let d = f.program[base].derived().expect("a type");
    let names: Vec<&str> = d.components.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["a", "p"]);
    assert!(d.components[0].var.init.is_some() && d.components[1].var.attrs.pointer);
    let bindings: Vec<(&str, bool, bool)> = d.bindings.iter().map(|b| (b.name.as_str(), b.nopass, b.generic)).collect();
    assert_eq!(
        bindings,
        [("norm", false, false), ("make", true, false), ("operator(+)", false, true), ("plus", false, false)]
    );
    assert_eq!(f.program[more].derived().expect("a type").extends, Some(base));
    assert_eq!(f.program.component(more, "a").expect("inherited").ty, DOUBLE);
}

#[test]
fn functions_and_their_results() {
    let f = lower(
        "module m
integer, parameter :: wp = 8
contains
real(wp) function a(x)
  real(wp) :: x
  a = x
end function
function b(x) result(r)
  real :: x, r(3)
  r = x
end function
pure elemental function c(x)
  real, intent(in) :: x
  real(wp) :: c
  c = x
end function
end module
",
    );
    let result = |name: &str| match f.program[f.proc(name)].kind {
        ProcKind::Function(r) => (f.program[r].name.to_string(), f.program.var(r).expect("a variable").clone()),
        _ => panic!("{name} isn't a function"),
    };
    let (name, var) = result("a");
    assert_eq!((name.as_str(), var.ty, var.result, var.spelling.as_str()), ("a", DOUBLE, true, "real(wp)"));
    let (name, var) = result("b");
    assert_eq!((name.as_str(), var.ty, var.rank()), ("r", Ty::REAL, 1));
    assert!(f.program[f.proc("c")].prefix.pure_ && f.program[f.proc("c")].prefix.elemental);
    assert_eq!(result("c").1.ty, DOUBLE);
}

#[test]
fn statement_functions() {
    let f = lower(
        "subroutine s(y)\nreal y, sq, x\ninteger i\nreal a(3)\nsq(x) = x*x\na(1) = 2.0\ny = sq(y) + a(1)\nend subroutine\n",
    );
    let SymbolKind::Procedure(p) = &f.program[f.sym("s", "sq")].kind else { panic!() };
    let (dummies, e) = p.statement_function.as_ref().expect("a statement function");
    assert_eq!((dummies.len(), f.show(e).as_str()), (1, "(* x x)"));
    assert_eq!(f.all("s"), ["a[1] = 2.0", "y = (+ call sq(y) a[1])"]);
}

#[test]
fn variables_of_directives_are_marked() {
    let f = lower("module m\nreal :: x, y\n!$omp threadprivate(x)\nend module\n");
    let (_, m) = f.program.modules().next().expect("a module");
    let marked = |n: &str| f.program.var(f.program[m.scope].names[n]).expect("a variable").directive;
    assert!(marked("x") && !marked("y"));
}

#[test]
fn an_unknown_kind_is_a_problem() {
    let f = lower_files(&[("t.f90", "subroutine s\nimplicit none\nreal(wp) :: x\nx = 1\nend\n")]);
    assert!(f.all_problems().iter().any(|p| p.starts_with("C0206")), "{:?}", f.all_problems());
}

#[test]
fn fold_evaluates_constant_expressions() {
    let f = body(
        "integer, parameter :: n = 3, k(3) = [4, 5, 6], m = k(2)*n - mod(7, 4)\nreal(8), parameter :: pi = 4d0*atan(1d0)\nlogical, parameter :: l = n > 2 .and. .not. .false.\ninteger :: q(-1:n)",
        "",
    );
    let value = |name: &str| fold(&f.program, f.var("s", name).init.as_ref().expect("a value"));
    assert_eq!(value("m"), Some(Const::Int(12)));
    assert_eq!(value("l"), Some(Const::Logical(true)));
    let Some(Const::Real(pi)) = value("pi") else { panic!() };
    assert!((pi - std::f64::consts::PI).abs() < 1e-15);
}

/// A type that holds itself by value would never end; allocatable components may.
#[test]
fn types_that_contain_themselves() {
    let text =
        "module m\ntype :: t\n integer :: n\n type(t) :: s\n type(t), allocatable :: next\nend type\nend module\n";
    let f = lower_files(&[("t.f90", text)]);
    let found = f.all_problems();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("contain itself"), "{found:?}");
}

/// Nor would a type that extends one which contains it, told where the other is declared before it.
#[test]
fn types_that_extend_what_contains_them() {
    let text = "module m\ntype :: a\n type(b) :: c\nend type\ntype, extends(a) :: b\nend type\nend module\n";
    let found = lower_files(&[("t.f90", text)]).all_problems();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("extend itself"), "{found:?}");
}
