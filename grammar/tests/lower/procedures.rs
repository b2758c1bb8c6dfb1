use super::{DOUBLE, lower, lower_files};
use costate_grammar::ir::{ExprKind, ProcKind, Ty};

fn rights(text: &str) -> Vec<(String, Ty, u8)> {
    let f = lower(text);
    f.rhs("s").iter().map(|e| (f.show(e), e.ty, e.rank)).collect()
}

fn generics(declarations: &str, statements: &str) -> Vec<(String, Ty, u8)> {
    rights(&format!(
        "module m
implicit none
interface f
  module procedure f4, f8, fv, fo
end interface
interface g
  procedure ge
end interface
interface sin
  module procedure sint
end interface
type :: t
  real :: a
end type
contains
real function f4(x)
  real, intent(in) :: x
  f4 = x
end function
real(8) function f8(x)
  real(8), intent(in) :: x
  f8 = x
end function
function fv(x) result(r)
  real(8), intent(in) :: x(:)
  real(8) :: r(3)
  r = x
end function
integer function fo(i, j, k)
  integer, intent(in) :: i
  integer, intent(in), optional :: j, k
  fo = i
end function
elemental real(8) function ge(x)
  real(8), intent(in) :: x
  ge = x
end function
type(t) function sint(x)
  type(t), intent(in) :: x
  sint = x
end function
subroutine s
{declarations}
{statements}
end subroutine
end module
"
    ))
}

#[test]
fn generics_resolve_by_type_kind_rank_and_keywords() {
    let got = generics(
        "real :: x\nreal(8) :: y, v(3), w(3, 3)\ninteger :: i\ntype(t) :: o",
        "x = f(x)\ny = f(y)\nv = f(v)\nv = f(w(:, 1))\ni = f(i)\ni = f(i, k=2)\nw = g(w)\ny = g(y)\ny = sin(y)\no = sin(o)",
    );
    let shown: Vec<&str> = got.iter().map(|g| g.0.as_str()).collect();
    let want = [
        "call f->f4(x)",
        "call f->f8(y)",
        "call f->fv(v)",
        "call f->fv(w[:,1])",
        "call f->fo(i)",
        "call f->fo(i,k=2)",
        "call g->ge(w)",
        "call g->ge(y)",
        "sin(y)",
        "call sin->sint(o)",
    ];
    assert_eq!(shown, want);
    let types: Vec<(Ty, u8)> = got[..9].iter().map(|g| (g.1, g.2)).collect();
    let (r, d, i) = (Ty::REAL, DOUBLE, Ty::INTEGER);
    assert_eq!(types, [(r, 0), (d, 0), (d, 1), (d, 1), (i, 0), (i, 0), (d, 2), (d, 0), (d, 0)]);
}

#[test]
fn no_specific_is_a_problem_of_the_caller() {
    let f = lower_files(&[(
        "t.f90",
        "module m\ninterface f\nmodule procedure f4\nend interface\ncontains\nreal function f4(x)\nreal :: x\nf4 = x\nend function\nsubroutine s(l)\nlogical :: l\nreal :: y\ny = f(l)\nend subroutine\nend module\n",
    )]);
    assert!(f.program[f.proc("s")].problems.iter().any(|d| d.code.as_str() == "C0207"));
    assert!(f.program[f.proc("f4")].problems.is_empty());
}

const OPERATORS: &str = "module m
implicit none
type :: t
  real(8) :: a
contains
  procedure :: minus
  generic :: operator(-) => minus
end type
interface operator(+)
  module procedure add
end interface
interface operator(.dot.)
  module procedure dot
end interface
interface assignment(=)
  module procedure from_real
end interface
contains
type(t) function add(x, y)
  type(t), intent(in) :: x, y
  add%a = x%a + y%a
end function
type(t) function minus(x, y)
  class(t), intent(in) :: x, y
  minus%a = x%a - y%a
end function
real(8) function dot(x, y)
  type(t), intent(in) :: x, y
  dot = x%a*y%a
end function
subroutine from_real(x, r)
  type(t), intent(out) :: x
  real(8), intent(in) :: r
  x%a = r
end subroutine
subroutine s(x, y, r)
  type(t) :: x, y
  real(8) :: r
  x = x + y - x
  r = x .dot. y + 1d0*r
  x = r
  x = y
end subroutine
end module
";

#[test]
fn defined_operators_and_assignment() {
    let f = lower(&OPERATORS.replace(" + 1d0*r", ""));
    let want = ["x = op- minus(op+ add(x,y),x)", "r = op.dot. dot(x,y)", "op= from_real(x,r)", "x = y"];
    assert_eq!(f.all("s"), want);
    // `.dot.` binds least of all, so that the sum is its operand: no specific takes that.
    let g = lower_files(&[("t.f90", OPERATORS)]);
    assert!(g.all_problems().iter().any(|p| p.starts_with("C0207")));
}

#[test]
fn type_bound_procedures() {
    let f = lower(
        "module m
implicit none
type :: t
  real(8) :: a
contains
  procedure :: get => get_t
  procedure :: area
  procedure :: set1
  procedure :: set2
  generic :: set => set1, set2
end type
type, extends(t) :: u
contains
  procedure :: area => area_u
end type
contains
real(8) function get_t(this, f)
  class(t), intent(in) :: this
  real(8), intent(in) :: f
  get_t = this%a*f
end function
real(8) function area(this)
  class(t), intent(in) :: this
  area = this%a
end function
real(8) function area_u(this)
  class(u), intent(in) :: this
  area_u = 2*this%a
end function
subroutine set1(this, x)
  class(t) :: this
  real(8) :: x
  this%a = x
end subroutine
subroutine set2(this, i)
  class(t) :: this
  integer :: i
  this%a = i
end subroutine
subroutine s(o, c, e)
  type(t) :: o
  class(t) :: c
  type(u) :: e
  real(8) :: x
  x = o%get(2d0)
  x = c%get(2d0)
  x = o%area()
  x = c%area()
  x = e%area()
  x = e%t%a
  call c%set(1)
  call o%set(1d0)
end subroutine
end module
",
    );
    let want = [
        "x = call o%get->get_t(2d0)",
        "x = call c%get->get_t(2d0)",
        "x = call o%area->area()",
        "x = call c%area->?()",
        "x = call e%area->area_u()",
        // The parent component is passed over: `e%t%a` and `e%a` are one path.
        "x = e%a",
        "call c%set->set2(1)",
        "call o%set->set1(1d0)",
    ];
    assert_eq!(f.all("s"), want);
    assert!(f.rhs("s").iter().all(|e| e.ty == DOUBLE));
}

#[test]
fn functions_whose_type_alone_is_declared() {
    let got = rights(
        "subroutine s(x, f)\nimplicit none\nreal(8) :: x, g, f\nreal(8), external :: h\ndouble precision dabs\nx = g(x)\nx = f(x)\nx = h(x)\nx = dabs(x)\nend subroutine\n",
    );
    let shown: Vec<&str> = got.iter().map(|g| g.0.as_str()).collect();
    assert_eq!(shown, ["call g(x)", "call f(x)", "call h(x)", "dabs(x)"]);
    assert!(got.iter().all(|g| g.1 == DOUBLE));
}

#[test]
fn a_users_procedure_shadows_an_intrinsic() {
    let f = lower(
        "module m\ncontains\nreal function sum(x)\nreal :: x(:)\nsum = x(1)\nend function\nsubroutine s(x, y)\nreal :: x(3), y, cos(3)\ny = sum(x)\ny = cos(2)\nend subroutine\nend module\n",
    );
    assert_eq!(f.all("s"), ["y = call sum(x)", "y = cos[2]"]);
}

#[test]
fn recursion_and_results() {
    let f = lower(
        "recursive function fac(n) result(r)\nimplicit none\ninteger :: n, r\nif (n < 2) then\nr = 1\nelse\nr = n*fac(n - 1)\nend if\nend function\n",
    );
    let e = f.rhs("fac")[1];
    assert_eq!(f.show(e), "(* n call fac((- n 1)))");
    assert_eq!(e.ty, Ty::INTEGER);
}

#[test]
fn internal_procedures_see_their_host() {
    let f = lower(
        "subroutine s(x)\nimplicit none\nreal(8) :: x, y\ny = x\ncall inner(x)\ncontains\nsubroutine inner(z)\nreal(8) :: z, x\nx = 1\nz = y + x\nend subroutine\nend subroutine\n",
    );
    assert_eq!(f.sym("inner", "y"), f.sym("s", "y"));
    assert_ne!(f.sym("inner", "x"), f.sym("s", "x"));
    assert_eq!(f.program[f.proc("s")].internals, [f.proc("inner")]);
}

#[test]
fn external_procedures_find_their_definition() {
    let f = lower_files(&[
        ("a.f90", "subroutine s(x)\nreal :: x\ncall t(x)\ncall u(x)\nend subroutine\n"),
        ("b.f90", "subroutine t(x)\nreal :: x\nx = 2*x\nend subroutine\n"),
    ]);
    let t = f.program[f.sym("s", "t")].procedure().expect("a procedure");
    assert_eq!((t.definition, t.external), (Some(f.proc("t")), true));
    let u = f.program[f.sym("s", "u")].procedure().expect("a procedure");
    assert_eq!((u.definition, u.external), (None, true));
}

#[test]
fn interfaces_and_dummy_procedures() {
    let f = lower(
        "module m
implicit none
integer, parameter :: wp = 8
abstract interface
  function shape(x) result(y)
    import :: wp
    real(wp), intent(in) :: x
    real(wp) :: y
  end function
end interface
interface
  subroutine outside(n, x)
    integer, intent(in) :: n
    double precision, intent(inout) :: x(n)
  end subroutine
end interface
contains
subroutine s(f, g, x)
  procedure(shape) :: f
  procedure(shape), pointer :: p => null()
  interface
    real function g(y)
      real, intent(in) :: y
    end function
  end interface
  real(wp) :: x, v(3)
  x = f(x)
  p => f
  x = p(x)
  x = g(1.0)
  call outside(3, v)
end subroutine
end module
",
    );
    let rhs = f.rhs("s");
    assert_eq!(rhs.iter().map(|e| e.ty).collect::<Vec<_>>(), [DOUBLE, DOUBLE, Ty::REAL]);
    let info = f.program[f.sym("s", "f")].procedure().expect("a procedure");
    assert_eq!(info.dummy, Some(0));
    let interface = info.interface.expect("an interface");
    assert!(matches!(f.program[interface].kind, ProcKind::Function(_)));
    assert!(f.program[f.sym("s", "p")].procedure().expect("a procedure").pointer);
    let outside = f.program[f.sym("s", "outside")].procedure().expect("a procedure");
    assert!(outside.interface.is_some() && outside.external);
}

#[test]
fn procedures_as_arguments() {
    let f = lower("subroutine s(x)\nreal :: x\nexternal g\nintrinsic sin\ncall h(g, sin, x)\nend subroutine\n");
    let costate_grammar::ir::StmtKind::Call { args, .. } = &f.stmts("s")[0].kind else { panic!() };
    assert!(matches!(args[0].value.kind, ExprKind::ProcRef(_)));
    assert!(
        matches!(args[1].value.kind, ExprKind::ProcRef(p) if f.program[p].procedure().is_some_and(|i| i.intrinsic.is_some()))
    );
}

#[test]
fn intrinsic_subroutines() {
    let f = lower("subroutine s(a, b)\nreal, allocatable :: a(:), b(:)\ncall move_alloc(a, b)\nend subroutine\n");
    assert_eq!(f.all("s"), ["move_alloc(a,b)"]);
}
