use super::{DOUBLE, body, int, lower, lower_files};
use costate_grammar::ir::{Base, ExprKind, Ty};

/// The structures of `x = ...` for several right sides.
fn shows(declarations: &str, rights: &[&str]) -> Vec<String> {
    let statements: Vec<String> = rights.iter().map(|r| format!("x = {r}")).collect();
    let f = body(declarations, &statements.join("\n"));
    f.rhs("s").iter().map(|e| f.show(e)).collect()
}

#[test]
fn operators_group_as_fortran_has_it() {
    let got = shows(
        "real :: x, a, b, c",
        &[
            "a**b**c",
            "-a**b",
            "-a*b",
            "a - b - c",
            "a/b*c",
            "-a + b",
            "a + b*c**2",
            "a*(-b)",
            "a**(-b)",
            "+a - (b - c)",
        ],
    );
    let want = [
        "(** a (** b c))",
        "(- (** a b))",
        "(- (* a b))",
        "(- (- a b) c)",
        "(* (/ a b) c)",
        "(+ (- a) b)",
        "(+ a (* b (** c 2)))",
        "(* a paren{(- b)})",
        "(** a paren{(- b)})",
        "(- (+ a) paren{(- b c)})",
    ];
    assert_eq!(got, want);
}

#[test]
fn logical_operators_and_comparisons() {
    let got = shows(
        "logical :: x, p, q, r\nreal :: a, b",
        &[".not. p .and. q .or. r", "a + 1 < b .and. .not. a == b", "p .eqv. q .or. r", "a .le. b .neqv. a.ne.b"],
    );
    let want = [
        "(.or. (.and. (.not. p) q) r)",
        "(.and. (< (+ a 1) b) (.not. (== a b)))",
        "(.eqv. p (.or. q r))",
        "(.neqv. (<= a b) (/= a b))",
    ];
    assert_eq!(got, want);
}

#[test]
fn a_defined_unary_operator_binds_tightest() {
    let text = "module m
interface operator(.inv.)
  module procedure inv
end interface
interface operator(.cross.)
  module procedure cross
end interface
contains
real function inv(a)
  real, intent(in) :: a
  inv = 1/a
end function
real function cross(a, b)
  real, intent(in) :: a, b
  cross = a*b
end function
subroutine s(x, a, b)
  real :: x, a, b
  x = .inv. a**b
  x = a + b .cross. a*b
  x = - .inv. a + b
end subroutine
end module
";
    let f = lower(text);
    let got: Vec<String> = f.rhs("s").iter().map(|e| f.show(e)).collect();
    assert_eq!(got, ["(** op.inv. inv(a) b)", "op.cross. cross((+ a b),(* a b))", "(+ (- op.inv. inv(a)) b)"]);
}

#[test]
fn literals_have_kinds_and_keep_their_spelling() {
    let f = body(
        "integer, parameter :: wp = kind(1d0)\nreal(wp) :: x\nlogical :: l\ncomplex :: z\ninteger(8) :: i\ncharacter(3) :: c",
        "x = 1.5\nx = 1.5d0\nx = 1.5e-3_wp\nx = 2.\ni = 3_8\nl = .true._1\nz = (1.0, -2.0d0)\nc = 'it''s'\ni = z'ff'",
    );
    let rhs = f.rhs("s");
    let types: Vec<Ty> = rhs.iter().map(|e| e.ty).collect();
    let complex = Ty::new(Base::Complex, 8);
    let logical = Ty::new(Base::Logical, 1);
    let want = [Ty::REAL, DOUBLE, DOUBLE, Ty::REAL, int(8), logical, complex, Ty::CHARACTER, Ty::INTEGER];
    assert_eq!(types, want);
    assert!(matches!(&rhs[2].kind, ExprKind::Real { text, suffix: Some(_) } if text == "1.5e-3"));
    assert!(matches!(&rhs[7].kind, ExprKind::Str(s) if s == "'it''s'"));
    assert!(matches!(&rhs[8].kind, ExprKind::Boz(_)));
}

#[test]
fn mixed_operands_are_promoted() {
    let f = body(
        "integer :: i\nreal :: r\nreal(8) :: d\ncomplex :: z",
        "d = i + r\nd = r*d\nd = r**i\nd = i**r\nz = z*d\ni = i/2\nd = d < r\n".replace("d = d < r\n", "").as_str(),
    );
    let types: Vec<Ty> = f.rhs("s").iter().map(|e| e.ty).collect();
    assert_eq!(types, [Ty::REAL, DOUBLE, Ty::REAL, Ty::REAL, Ty::new(Base::Complex, 8), Ty::INTEGER]);
}

#[test]
fn elements_sections_substrings() {
    let f = body(
        "real :: a(10, 10), x, v(10)\ninteger :: k(3), i\ncharacter(8) :: c, d(4)",
        "x = a(i, 2)\nv = a(:, i)\nv(1:3) = a(k, 1)\nv(::2) = a(1, 2:10:2)\nc = c(2:5)\nc = d(3)(:2)\nc = d(i)",
    );
    let rhs = f.rhs("s");
    let got: Vec<(String, u8)> = rhs.iter().map(|e| (f.show(e), e.rank)).collect();
    let want =
        [("a[i,2]", 0), ("a[:,i]", 1), ("a[k,1]", 1), ("a[1,2:10:2]", 1), ("c<2:5>", 0), ("d[3]<:2>", 0), ("d[i]", 0)];
    assert_eq!(got, want.map(|(s, r)| (s.to_string(), r)));
}

#[test]
fn components_through_nested_types_and_arrays() {
    let f = lower(
        "module m
type :: inner
  real(8) :: v(3)
  real(8), allocatable :: w(:,:)
end type
type :: outer
  type(inner) :: one
  type(inner) :: many(5)
  integer :: n = 2
end type
contains
subroutine s(o, p, x, y)
  type(outer) :: o, p(4)
  real(8) :: x, y(3), q(4)
  integer :: i
  x = o%one%v(2)
  y = o%one%v
  x = o%many(i)%w(1, 2)
  q = p(:)%many(2)%v(1)
  i = o%n
  y = o%many(2)%w(:, 1)
end subroutine
end module
",
    );
    let got: Vec<(String, Ty, u8)> = f.rhs("s").iter().map(|e| (f.show(e), e.ty, e.rank)).collect();
    let want = [
        ("o%one%v[2]", DOUBLE, 0),
        ("o%one%v", DOUBLE, 1),
        ("o%many[i]%w[1,2]", DOUBLE, 0),
        ("p[:]%many[2]%v[1]", DOUBLE, 1),
        ("o%n", Ty::INTEGER, 0),
        ("o%many[2]%w[:,1]", DOUBLE, 1),
    ];
    assert_eq!(got, want.map(|(s, t, r)| (s.to_string(), t, r)));
}

#[test]
fn ranks_of_transformational_intrinsics() {
    let f = body(
        "real(8) :: a(4, 5), b(5, 6), v(5), x\ninteger :: i(2), n\nlogical :: m(4, 5)",
        "x = sum(a)\nv = sum(a, 1)\nv = sum(a, dim=1)\nx = sum(a, m)\na = matmul(a, b)\nv = matmul(a, v)\na = spread(v, 1, 4)
a = reshape(v, [4, 5])\na = transpose(a)\ni = maxloc(a)\nn = maxloc(v, 1)\nv = pack(a, m)\na = cshift(a, 1, 2)
a = merge(a, 0d0, m)\nn = size(a, 1)\ni = shape(a)\ni = lbound(a)\nn = ubound(a, 2)\nx = dot_product(v, v)\na = sin(a)*x",
    );
    let got: Vec<u8> = f.rhs("s").iter().map(|e| e.rank).collect();
    assert_eq!(got, [0, 1, 1, 0, 2, 1, 2, 2, 2, 1, 0, 1, 2, 2, 0, 1, 1, 0, 0, 2]);
}

#[test]
fn types_of_intrinsics() {
    let f = body(
        "integer, parameter :: wp = 8\nreal :: r\nreal(8) :: d\ncomplex(8) :: z\ninteger :: i\ncharacter(5) :: c",
        "d = real(i)\nd = real(i, wp)\nd = real(z)\nd = abs(z)\ni = int(d, 8)\ni = nint(d)\nz = cmplx(d, d, kind=wp)\nd = dble(r)
d = max(d, 1d0, 2d0)\ni = len_trim(c)\nd = float(i)\nd = aimag(z)\nd = sqrt(r)\nd = dsqrt(d)\ni = index(c, 'a')",
    );
    let got: Vec<Ty> = f.rhs("s").iter().map(|e| e.ty).collect();
    let z = Ty::new(Base::Complex, 8);
    let (r, d, i) = (Ty::REAL, DOUBLE, Ty::INTEGER);
    assert_eq!(got, [r, d, d, d, int(8), i, z, d, d, i, r, d, r, d, i]);
}

#[test]
fn array_constructors_with_implied_do() {
    let f = body(
        "integer :: i, n\nreal :: v(9)",
        "v = [1.0, (real(i), i = 1, n), v(1:2)]\nv = (/ 1d0, 2d0 /)\nv = [real(8) :: 1, 2]",
    );
    let rhs = f.rhs("s");
    assert_eq!(f.show(rhs[0]), "[1.0,(real(i),i=1,n),v[1:2]]");
    assert_eq!(rhs.iter().map(|e| (e.ty, e.rank)).collect::<Vec<_>>(), [(Ty::REAL, 1), (DOUBLE, 1), (DOUBLE, 1)]);
}

#[test]
fn complex_parts() {
    let f = body("complex(8) :: z, w(3)\nreal(8) :: x, v(3)", "x = z%re\nv = w%im");
    let got: Vec<(String, Ty, u8)> = f.rhs("s").iter().map(|e| (f.show(e), e.ty, e.rank)).collect();
    assert_eq!(got, [("z%re".into(), DOUBLE, 0), ("w%im".into(), DOUBLE, 1)]);
}

#[test]
fn spans_point_at_the_users_text() {
    let f = body("real :: x, a(3), b", "x = a(2) + &\n   sin(b) * 2.0");
    let e = f.rhs("s")[0];
    assert_eq!(f.text(e.span), "a(2) + &\n   sin(b) * 2.0");
    let ExprKind::Binary(_, a, b) = &e.kind else { panic!("{e:?}") };
    assert_eq!(f.text(a.span), "a(2)");
    assert_eq!(f.text(b.span), "sin(b) * 2.0");
}

#[test]
fn structure_constructors() {
    let f = lower(
        "module m
type :: t
  real :: a, b = 2.0
end type
contains
subroutine s(x)
  type(t) :: x
  x = t(1.0, b=3.0)
end subroutine
end module
",
    );
    let e = f.rhs("s")[0];
    assert_eq!(f.show(e), "new t(1.0,b=3.0)");
    assert!(e.is_derived());
}

#[test]
fn what_is_wrong_stays_with_its_procedure() {
    let f = lower_files(&[(
        "t.f90",
        "module m\nimplicit none\ncontains\nsubroutine good(x)\nreal :: x\nx = 2*x\nend subroutine\nsubroutine bad(x)\nreal :: x\nx = (2*+\nx = y\nend subroutine\nend module\n",
    )]);
    assert!(f.diagnostics.is_empty(), "{:?}", f.diagnostics);
    assert!(f.program[f.proc("good")].problems.is_empty());
    assert!(!f.program[f.proc("bad")].problems.is_empty());
    assert_eq!(f.all("good"), ["x = (* 2 x)"]);
}

#[test]
fn an_undeclared_name_is_told_where_it_stands() {
    let f = lower_files(&[("t.f90", "subroutine s(x)\nimplicit none\nreal :: x\nx = yy + 1\nend\n")]);
    let problems = &f.program[f.proc("s")].problems;
    assert_eq!(problems.len(), 1);
    assert_eq!(f.text(problems[0].span.unwrap_or_default()), "yy");
}
