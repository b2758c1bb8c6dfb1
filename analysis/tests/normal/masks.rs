use crate::harness::{Group, check};

const HELPERS: &str = "
elemental real(8) function sq(p)
  real(8), intent(in) :: p
  sq = p*abs(p)
end function
function col(p) result(r)
  real(8), intent(in) :: p(:)
  real(8) :: r(size(p))
  r = p(size(p):1:-1)
end function";

#[test]
fn where_and_forall() {
    check(&Group {
        name: "masks",
        module: "",
        helpers: HELPERS,
        sizes: &[1, 2, 3, 6, 7],
        snippets: &[
            ("w_one", "where (x > 0) y = x"),
            ("w_else", "where (x > 0)\n y = x\n elsewhere\n y = -2*x\n z = y\n end where"),
            (
                "w_arms",
                "where (x > 0.5)\n y = x\n elsewhere (x > 0)\n y = 2*x\n z = 1\n elsewhere\n y = 3*x\n end where",
            ),
            ("w_self", "where (x > 0)\n x = x*2\n elsewhere\n x = x - 1\n end where"),
            ("w_shift", "where (x(1:n-1) > 0)\n x(2:n) = x(1:n-1)*2\n elsewhere\n y(2:n) = x(2:n)\n end where"),
            ("w_shift2", "where (x(2:n) > 0) x(1:n-1) = y(1:n-1)"),
            ("w_mask_changes", "where (x > 0)\n x = -x\n y = x\n elsewhere (x < -0.5)\n x = x*x\n y = 2\n end where"),
            ("w_reverse", "where (x > 0) x = x(n:1:-1)"),
            ("w_reverse2", "where (x(n:1:-1) > 0)\n x = 2*x\n y = x(n:1:-1)\n elsewhere\n x = x - 3\n end where"),
            ("w_two", "where (a > b)\n a = b\n elsewhere\n b = a + transpose(b)\n end where"),
            ("w_sum", "where (x > sum(x)/n) x = sum(x)"),
            ("w_sum2", "where (x > 0)\n x = x + 1\n y = x/(1 + sum(x**2))\n end where"),
            (
                "w_nested",
                "where (x > 0)\n where (y > 0)\n z = x\n elsewhere\n z = y\n end where\n x = z\n elsewhere\n y = 1\n end where",
            ),
            ("w_division", "where (x /= 0)\n y = 1/x\n elsewhere\n y = 0\n end where"),
            ("w_sqrt", "y = 0\n where (x > 0) y = sqrt(x)"),
            ("w_call", "where (sq(x) > 0.1)\n y = sq(x) + 1\n elsewhere\n y = sq(y)\n end where"),
            ("w_array_call", "where (col(x) > 0)\n y = col(y)\n elsewhere\n x = col(x)*2\n end where"),
            ("w_bounds", "real(8) :: w(0:n-1)\n w = x\n where (w > 0) w = y\n x = w"),
            ("w_integer", "integer :: v(n)\n where (x > 0)\n v = 1\n elsewhere\n v = 2\n end where\n y = v*x"),
            (
                "w_logical",
                "logical :: m(n)\n m = x > 0.3\n where (m)\n y = 0.5\n m = .false.\n elsewhere\n y = x\n end where\n k = count(m)",
            ),
            ("w_section", "where (a(k, :) > 0) a(:, k) = x"),
            ("w_stride", "where (x(1:n:2) > 0) y(1:n:2) = x(1:n:2)"),
            ("f_one", "integer :: i\n forall (i = 1:n) y(i) = x(i)*i"),
            ("f_shift", "integer :: i\n forall (i = 2:n) x(i) = x(i-1)*2"),
            ("f_shift2", "integer :: i\n forall (i = 1:n-1) x(i) = x(i+1)*2"),
            ("f_reverse", "integer :: i\n forall (i = 1:n) x(i) = x(n+1-i)"),
            ("f_transpose", "integer :: i, j\n forall (i = 1:n, j = 1:n) a(i,j) = a(j,i)"),
            ("f_mask", "integer :: i, j\n forall (i = 1:n, j = 1:n, i /= j .and. b(i,j) > 0) a(i,j) = a(j,i)*b(i,j)"),
            ("f_mask_self", "integer :: i\n forall (i = 2:n, x(i-1) > 0) x(i) = x(i-1)"),
            ("f_stride", "integer :: i\n forall (i = n:1:-2) x(i) = x(n+1-i)*3"),
            ("f_two", "integer :: i\n forall (i = 1:n)\n x(i) = y(n+1-i)\n y(i) = x(n+1-i)\n end forall"),
            ("f_row", "integer :: i\n forall (i = 1:n) a(i, :) = a(:, i)"),
            ("f_sum", "integer :: i\n forall (i = 1:n) y(i) = sum(a(i, :)*x)"),
            ("f_sum_self", "integer :: i\n forall (i = 1:n) x(i) = sum(a(i, :)*x)"),
            (
                "f_nested",
                "integer :: i, j\n forall (i = 1:n)\n forall (j = 1:i) a(i,j) = b(j,i)\n x(i) = a(i,i)\n end forall",
            ),
            ("f_outer_i", "integer :: i\n i = 7\n forall (i = 1:n) y(i) = x(i)*i\n k = i"),
            ("f_call", "integer :: i\n forall (i = 1:n) y(i) = sq(x(i)) + sq(y(n+1-i))"),
            ("c_one", "integer :: i\n do concurrent (i = 1:n)\n y(i) = x(i)*i\n end do"),
            ("c_two", "integer :: i, j\n do concurrent (i = 1:n, j = 1:n, i /= j)\n a(i,j) = b(j,i)\n end do"),
            ("c_cycle", "integer :: i\n do concurrent (i = 1:n)\n if (x(i) < 0) cycle\n y(i) = x(i)*i\n end do"),
            (
                "omp_loop",
                "integer :: i\n !$omp parallel do\n do i = 1, n\n if (x(i) < 0) cycle\n a(:, i) = x*y(i)\n end do\n !$omp end parallel do",
            ),
            (
                "omp_temps",
                "integer :: i\n !$omp parallel do reduction(+:s)\n do i = 1, n\n s = s + sum(x)\n end do\n y = s",
            ),
            ("c_outer", "integer :: i\n i = 3\n do concurrent (i = 1:n:2)\n y(i) = x(i)*i\n end do\n k = i"),
        ],
    });
}
