use crate::harness::{Group, check};

const TYPES: &str = "
type cell
  real(8) :: rho, e
  real(8) :: v(3)
end type
type field
  real(8), allocatable :: d(:)
  real(8) :: w(0:4)
end type";

#[test]
fn sections() {
    check(&Group {
        name: "sections",
        module: "",
        helpers: "",
        sizes: &[1, 2, 3, 4, 7, 8],
        snippets: &[
            ("whole", "y = x*2 + z"),
            ("whole2", "a = b*s + 1"),
            ("broadcast", "y = s"),
            ("broadcast2", "a(:, 1) = 3.0d0"),
            ("shifted", "y(2:n-1) = x(1:n-2)*x(3:n)"),
            ("left_shift", "x(1:n-1) = x(2:n)"),
            ("right_shift", "x(2:n) = x(1:n-1)*2"),
            ("both_shifts", "x(2:n-1) = 0.5*(x(1:n-2) + x(3:n))"),
            ("reverse", "x(1:n) = x(n:1:-1)"),
            ("reverse2", "y(n:1:-1) = x(1:n)"),
            ("stride", "y(1:n:2) = x(1:n:2)*3"),
            ("stride2", "y(1:(n+1)/2) = x(1:n:2)"),
            ("stride3", "y(2:n:2) = x(1:n-1:2)"),
            ("stride_self", "x(2:n:2) = x(1:n-1:2)"),
            ("stride_neg", "y(n:1:-2) = x(1:n:2)"),
            ("empty", "y(2:1) = x(2:1)*5\n s = s + 1"),
            ("vector_rhs", "integer :: v(n), i\n do i = 1, n\n v(i) = 1 + mod(3*i, n)\n end do\n y = x(v)*2"),
            ("vector_lhs", "integer :: v(n), i\n do i = 1, n\n v(i) = n + 1 - i\n end do\n y(v) = x*z"),
            ("vector_self", "integer :: v(n), i\n do i = 1, n\n v(i) = n + 1 - i\n end do\n x = x(v)"),
            ("vector_both", "integer :: v(n), i\n do i = 1, n\n v(i) = n + 1 - i\n end do\n x(v) = x*2"),
            ("rows", "a(1, :) = a(n, :)*2"),
            ("rows_own", "integer :: i\n do i = 2, n\n a(i, :) = a(i-1, :) + b(i, :)\n end do"),
            ("columns", "integer :: i\n do i = 2, n\n a(:, i) = a(:, i-1)*x + b(:, i)\n end do"),
            ("transposed_self", "a = transpose(a)"),
            ("diagonal_shift", "a(2:n, 1:n-1) = a(1:n-1, 2:n)*0.5"),
            ("up_shift", "a(2:n, 2:n) = a(1:n-1, 1:n-1)*0.5"),
            ("named_stride", "integer, parameter :: st = 2\n y(::st) = x(st-1::st)*2\n z(n:1:-st) = z(n:1:-st) + 1"),
            ("mixed_shift", "a(2:n-1, 2:n-1) = a(1:n-2, 2:n-1) + a(3:n, 2:n-1) + a(2:n-1, 1:n-2)"),
            ("scalar_self", "x = x/(2 + abs(x(1)))"),
            ("scalar_self2", "x(1:n) = x(1:n)*x(n) + x(k)"),
            ("half", "integer :: h\n h = n/2\n x(1:h) = x(h+1:2*h) + 1"),
            ("half2", "integer :: h\n h = n/2\n x(h+1:2*h) = x(1:h) + 1"),
            ("moving_bound", "integer :: m\n m = n\n y(1:m) = x(1:m)\n m = m - 1\n y(1:m) = y(1:m) + 1"),
            ("lower", "real(8) :: w(0:n)\n w(0) = s\n w(1:n) = x\n w(1:n) = w(0:n-1) + w(1:n)\n y = w(1:n)"),
            ("lower2", "real(8) :: w(-2:n-3)\n w = x\n w = w*2\n y = w + x"),
            ("lower3", "real(8) :: w(-2:n-3), v(5:n+4)\n w = x\n v = w*2\n y = v"),
            ("elementals", "y = max(x, 0.1d0) + sign(x, z) + sqrt(abs(x)) + merge(x, z, x > z)"),
            ("complexes", "c = conjg(c)*2 + cmplx(x, y, 8)\n y = real(c) + aimag(c)"),
            ("kinds", "real(4) :: w(n)\n w = 0.5\n y = w*x + 1"),
            ("logicals", "logical :: m(n)\n m = x > 0\n where (m) y = x"),
            ("integers", "integer :: v(n)\n v = 3\n v(1) = n\n y = v*x"),
            ("nested_if", "integer :: i\n do i = 1, n\n if (x(i) > 0) a(:, i) = x*s\n end do"),
            ("ctor", "real(8) :: w(4)\n w = [s, t, 2*s, x(1)]\n s = w(3) + w(4)"),
            (
                "ctor_self",
                "real(8) :: w(3)\n w = [s, t, 1.0d0]\n w = [w(3), w(1), w(2)]\n s = w(1)\n t = w(2)*2 + w(3)",
            ),
            ("ctor_do", "integer :: i\n i = 5\n y = [(x(i)*i, i = 1, n)]\n k = i"),
            ("ctor_do2", "integer :: i\n real(8) :: w(2*n)\n w = [(x(i), y(i)*2, i = 1, n)]\n y = w(n+1:2*n)"),
            (
                "ctor_mixed",
                "integer :: i\n real(8) :: w(2*n+1)\n w = [x, s, (y(i), i = n, 1, -1)]\n y = w(n+1:2*n)\n s = w(2*n+1)",
            ),
            ("ctor_in", "real(8) :: w(2)\n w = 2*[s, t] + 1\n s = w(1)\n t = w(2)"),
            (
                "ctor_nest",
                "integer :: i, j\n real(8) :: w(n*n)\n w = [((a(i,j), i = 1, n), j = 1, n)]\n x = w(1:n)*2\n y = w(n*n-n+1:)",
            ),
            ("sized", "y = real(size(x), 8)*x"),
            ("one_row", "y = a(k, :)\n a(k, :) = x"),
        ],
    });
}

#[test]
fn allocatables() {
    check(&Group {
        name: "allocatables",
        module: TYPES,
        helpers: "",
        sizes: &[1, 2, 5, 6],
        snippets: &[
            ("grow", "real(8), allocatable :: w(:)\n w = x*x\n y = w\n w = x(1:1)\n s = w(1)"),
            ("keep_bounds", "real(8), allocatable :: w(:)\n allocate(w(0:n-1))\n w = x*2\n y = w\n s = w(0)*3"),
            (
                "take_bounds",
                "real(8), allocatable :: w(:)\n real(8) :: v(0:n-1)\n v = x\n w = v\n s = w(0)*3\n k = lbound(w, 1)\n w = v*2\n t = w(0)",
            ),
            ("self_ref", "real(8), allocatable :: w(:)\n w = x\n w = w*2 + w\n y = w"),
            (
                "shrink",
                "real(8), allocatable :: w(:)\n w = x\n w = w(n:1:-1)\n w = w(1:size(w)/2)\n k = size(w)\n if (k > 0) s = w(1)*2\n t = t + 1",
            ),
            ("append", "real(8), allocatable :: w(:)\n w = x\n w = [w, s]\n w = [t, w*2]\n s = sum(w)\n k = size(w)"),
            ("two", "real(8), allocatable :: w(:,:)\n w = a + b\n a = w(:, n:1:-1)\n w = w + 1\n b = w"),
            ("scalar", "real(8), allocatable :: w(:)\n allocate(w(n))\n w = 2\n w = w*x\n y = w"),
            (
                "pointers",
                "real(8), pointer :: p(:), q(:)\n real(8), target :: w(n)\n w = x\n p => w(1:n-1)\n q => w(2:n)\n p = q\n q = p*2\n y = w",
            ),
            (
                "pointer_lower",
                "real(8), pointer :: p(:)\n real(8), target :: w(n)\n w = x\n p(0:) => w\n p = p*2 + z\n y = p",
            ),
            (
                "components",
                "type(cell) :: q(n)\n q%rho = x\n q(:)%e = 2*y\n q%v(2) = q%rho*q%e\n y = q%v(2) + q(:)%rho",
            ),
            (
                "types",
                "type(cell) :: q(n), r(n)\n q%rho = x\n q%e = y\n r = q(n:1:-1)\n r(1:n-1) = r(2:n)\n y = r%rho + r%e",
            ),
            ("inner_array", "type(cell) :: q\n q%v = [s, t, x(1)]\n q%v(2:3) = q%v(1:2)*2\n s = sum(q%v)"),
            (
                "alloc_part",
                "type(field) :: f\n f%d = x*2\n f%w = s\n f%w(1:4) = f%w(0:3)*2\n f%d = f%d + 1\n y = f%d\n t = f%w(4)",
            ),
            ("alloc_part2", "type(field) :: f\n allocate(f%d(0:n))\n f%d = 1\n f%d(1:n) = x\n y = f%d(0:n-1)"),
            (
                "alloc_parts",
                "type(field) :: f, g\n f%d = x\n g%d = f%d\n f%d = g%d*2\n f%w = 0\n f%d(1:n-1) = f%d(2:n)\n y = f%d + g%d",
            ),
            (
                "move",
                "real(8), allocatable :: w(:), v(:)\n allocate(w(0:n-1))\n w = x\n call move_alloc(w, v)\n v = v*2\n y = v(0:n-1)\n k = lbound(v, 1)",
            ),
        ],
    });
}
