use crate::harness::{Group, check};

const MODULE: &str = "
type point
  real(8) :: px, py
contains
  procedure :: norm => point_norm
  procedure :: scaled => point_scaled
end type
interface operator(.plus.)
  module procedure add_points
end interface
interface assignment(=)
  module procedure set_point
end interface
interface twice
  module procedure twice_r, twice_i
end interface";

const HELPERS: &str = "
real(8) function g(p)
  real(8), intent(in) :: p
  g = p*p + 1
end function
real(8) function h(p, q)
  real(8), intent(in) :: p, q
  if (p > q) then
    h = p - q
    return
  end if
  h = p*q
end function
elemental real(8) function e(p, q)
  real(8), intent(in) :: p
  real(8), intent(in), optional :: q
  e = p*abs(p)
  if (present(q)) e = e + q
end function
function vec(m, p) result(r)
  integer, intent(in) :: m
  real(8), intent(in) :: p
  real(8) :: r(m)
  integer :: i
  do i = 1, m
    r(i) = p + i
  end do
end function
function like(p) result(r)
  real(8), intent(in) :: p(:)
  real(8) :: r(size(p))
  r = 2*p + 1
end function
function grown(p) result(r)
  real(8), intent(in) :: p(:)
  real(8), allocatable :: r(:)
  r = [p, 1d0]
end function
integer function idx(p, m)
  real(8), intent(in) :: p
  integer, intent(in) :: m
  idx = 1 + mod(int(abs(p)*10), m)
end function
logical function big(p)
  real(8), intent(in) :: p
  big = p > 0.3
end function
subroutine add(p, q)
  real(8), intent(in) :: p
  real(8), intent(inout) :: q
  q = q + p
end subroutine
subroutine addv(p, q)
  real(8), intent(in) :: p(:)
  real(8), intent(inout) :: q(:)
  q = q + p
end subroutine
elemental subroutine eadd(p, q)
  real(8), intent(in) :: p
  real(8), intent(inout) :: q
  q = q*2 + p
end subroutine
real(8) function point_norm(self)
  class(point), intent(in) :: self
  point_norm = self%px**2 + self%py**2
end function
real(8) function point_scaled(self, f)
  class(point), intent(in) :: self
  real(8), intent(in) :: f
  point_scaled = self%px*f
end function
function add_points(p, q) result(r)
  type(point), intent(in) :: p, q
  type(point) :: r
  r%px = p%px + q%px
  r%py = p%py + q%py
end function
subroutine set_point(p, v)
  type(point), intent(out) :: p
  real(8), intent(in) :: v
  p%px = v
  p%py = 2*v
end subroutine
real(8) function twice_r(p)
  real(8), intent(in) :: p
  twice_r = 2*p
end function
integer function twice_i(p)
  integer, intent(in) :: p
  twice_i = 2*p
end function";

#[test]
fn calls() {
    check(&Group {
        name: "calls",
        module: MODULE,
        helpers: HELPERS,
        sizes: &[1, 2, 3, 6, 7],
        snippets: &[
            ("two", "s = t*g(s) + g(t)"),
            ("alone", "s = g(t)"),
            ("self_arg", "s = g(s)"),
            ("nested", "s = h(g(s), g(t*2) + 1)"),
            ("in_loop", "integer :: i\n do i = 1, n\n y(i) = g(x(i)) + i\n end do"),
            ("in_if", "if (g(s) > 1.2) then\n t = 1\n else\n t = 2\n end if"),
            ("in_one_line", "if (big(s)) t = g(t) + 1"),
            (
                "else_if",
                "if (s > 0.8) then\n t = 1\n else if (g(s) > 1.3) then\n t = g(t)\n else if (big(t)) then\n t = 3\n else\n t = 4\n end if",
            ),
            (
                "in_while",
                "integer :: i\n i = 0\n do while (g(s) < 5)\n i = i + 1\n s = s*1.5 + 0.1\n if (i > 20) exit\n if (s > 100) cycle\n end do\n k = i",
            ),
            ("in_bounds", "integer :: i\n do i = idx(s, n), n, idx(t, 2)\n y(i) = s\n end do\n t = t + 1"),
            (
                "in_select",
                "select case (idx(s, 3))\n case (1)\n t = 1\n case (2)\n t = g(t)\n case default\n t = 5\n end select",
            ),
            ("in_subscript", "y(idx(s, n)) = x(idx(t, n)) + 2"),
            ("argument", "call add(2*x(1), s)"),
            ("argument2", "call add(g(x(1))*2, s)\n call add((s), s)\n call add(1d0, t)"),
            ("array_argument", "call addv(x*2, y)\n call addv(x(1:n-1), y(2:n))\n call addv(like(x), z)"),
            ("by_element", "y = e(x) + 1"),
            ("by_element2", "y = e(x, s) * e(y, z) + e(s)"),
            ("by_element3", "x = e(x(n:1:-1))"),
            ("by_element_sum", "s = sum(e(x))"),
            ("by_element_cond", "if (any(e(x) > 0.5)) s = s + 1\n t = t + 1"),
            ("element_sub", "call eadd(x, y)\n call eadd(s, z(1:n:2))\n call eadd(x*2, y)"),
            ("vector", "y = vec(n, s)"),
            ("vector2", "y = x*vec(n, s) + 2*like(y)"),
            ("vector_self", "x = like(x)"),
            ("vector_sum", "s = sum(like(x*2))\n t = t + dot_product(like(x), vec(size(x), s))"),
            (
                "vector_alloc",
                "real(8), allocatable :: w(:)\n w = grown(x)\n s = sum(w)\n w = grown(w) + 1\n t = w(n+1)",
            ),
            ("vector_expr", "s = sum(grown(x)) + maxval(grown(y))"),
            ("vector_cond", "if (any(like(x) > 2)) then\n s = s + 1\n end if\n t = sum(grown(x))"),
            (
                "vector_loop",
                "integer :: i\n do i = 1, n\n if (any(grown(x(1:i)) < 0)) cycle\n s = s + 1\n end do\n t = t*2",
            ),
            ("matmuls", "y = matmul(a, like(x))"),
            ("in_where_bounds", "y(1:idx(s, n)) = 0\n x(1:idx(s, n)) = x(1:idx(s, n)) + e(s)"),
            ("converted", "real(4) :: w\n w = g(s)\n t = w\n k = int(g(s))"),
            ("integers", "k = idx(x(1), n)\n k = k + idx(x(n), n)*2"),
            ("bound", "type(point) :: p\n p%px = s\n p%py = t\n s = p%norm() + 1\n t = p%scaled(s*2)"),
            (
                "operators",
                "type(point) :: p, q, r\n p%px = s\n p%py = t\n q = p .plus. p\n r = p .plus. (q .plus. p)\n s = r%px\n t = r%py",
            ),
            ("assignments", "type(point) :: p\n p = s\n t = p%py\n p = 3*t\n s = p%px"),
            ("generics", "s = twice(s) + twice(3)\n k = twice(k)"),
            ("ctor_calls", "integer :: i\n y = [(g(x(i)), i = 1, n)]"),
            ("merge_calls", "s = merge(g(s), g(t), s > t)"),
            ("logic", "if (s > 0.5 .and. big(t)) s = s + 1\n t = t + 1"),
            ("print_keeps", "character(80) :: line\n write(line, '(f8.3)') s\n t = g(s)"),
            (
                "statement_function",
                "real(8) :: f1, f2, p, q\n f1(p, q) = p*q + s\n f2(p) = f1(p, p) + 1\n s = f1(s, t) + f2(x(1) - 1)\n y = f2(t)",
            ),
            (
                "forall_calls",
                "integer :: i\n do i = 1, n\n if (g(x(i)) > 1.5) exit\n s = s + h(x(i), y(i))\n end do\n k = i",
            ),
        ],
    });
}
