use crate::harness::{Group, check};

const MODULE: &str = "
type inner
  real(8) :: v(4)
  real(8) :: e
end type
type outer
  type(inner) :: p
  real(8), allocatable :: d(:)
end type
real(8) :: tmp1 = 2, i1 = 3";

#[test]
fn associates_and_blocks() {
    check(&Group {
        name: "names",
        module: MODULE,
        helpers: "real(8) function g(p)\n real(8), intent(in) :: p\n g = p*p + tmp1*i1\nend function",
        sizes: &[1, 2, 3, 6, 7],
        snippets: &[
            ("whole", "associate (q => x)\n q = q*2\n q(1) = s\n end associate"),
            ("element", "associate (q => x(k), r => a(:, k))\n q = q*2\n r = r + q\n r(1) = 3\n end associate"),
            ("section", "associate (q => x(2:n))\n q = q*2\n if (n > 1) q(1) = s\n y(1:n-1) = q\n s = s + sum(q)\n end associate"),
            ("strided", "integer :: i\n associate (q => x(1:n:2))\n do i = 1, size(q)\n q(i) = q(i) + i\n end do\n end associate"),
            ("row", "integer :: i\n associate (q => a(k, :))\n do i = 2, n\n q(i) = q(i-1) + x(i)\n end do\n q(1:n-1) = q(2:n)\n end associate"),
            ("lower", "real(8) :: w(0:n)\n w = s\n associate (q => w, r => w(:))\n q(0) = 2\n r(1) = r(1) + q(0)\n t = lbound(q, 1) + lbound(r, 1)\n end associate\n y = w(0:n-1)"),
            ("moving_index", "integer :: i\n i = 1\n associate (q => x(i))\n i = n\n q = q*2 + i\n end associate"),
            ("moving_range", "integer :: i\n i = n\n associate (q => x(1:i))\n i = 1\n q = q*2\n end associate\n k = i"),
            ("value", "associate (q => s*2 + t)\n s = 0\n t = q*2\n end associate"),
            ("array_value", "associate (q => x*2)\n x = 0\n y = q + q(1)\n end associate"),
            ("constant", "associate (q => (x))\n x = x + q(n)\n end associate"),
            ("component", "type(outer) :: o\n o%p%v = s\n allocate(o%d(n))\n o%d = x\n associate (v => o%p%v, d => o%d, e => o%p%e, p => o%p)
             v(2) = 3\n d(1) = v(2)*2\n e = sum(v)\n p%v(1:2) = p%v(3:4)*e\n end associate\n s = sum(o%p%v) + o%p%e\n y = o%d"),
            ("array_of_types", "type(inner) :: o(n)\n integer :: i\n do i = 1, n\n o(i)%v = x(i)\n o(i)%e = i\n end do
             associate (e => o%e, v => o(:)%v(2), p => o(k))\n e = e*2 + v\n p%e = 7\n v(1) = e(1)\n end associate\n y = o%e + o%v(2)"),
            ("nested", "associate (q => x)\n associate (r => q(1:n), q => y)\n r = q*2\n end associate\n q(1) = 5\n end associate"),
            ("clash", "real(8) :: q\n q = 2\n associate (tmp1 => x(1), i1 => y)\n tmp1 = q\n i1 = tmp1 + 1\n end associate\n s = q*tmp1*i1"),
            ("call_inside", "associate (q => g(s))\n t = q + g(q)\n end associate"),
            ("printing", "character(60) :: line\n associate (q => x(1), w => s*2)\n write(line, '(2f9.4)') q, w\n read(line, '(f9.4)') t\n end associate"),
            ("block_plain", "block\n real(8) :: w\n w = s*2\n t = w + 1\n end block\n block\n real(8) :: w(n)\n w = x\n y = w*2\n end block"),
            ("block_clash", "real(8) :: w\n w = s\n block\n integer :: w\n w = 3\n t = w\n end block\n t = t + w"),
            ("block_auto", "integer :: m\n m = n\n if (m > 1) m = m - 1\n block\n real(8) :: w(m)\n w = x(1:m)\n m = 0\n y(1:size(w)) = w*2\n end block"),
            ("block_alloc", "integer :: i\n do i = 1, n\n block\n real(8), allocatable :: w(:)\n if (allocated(w)) s = s + 100\n allocate(w(i))\n w = x(1:i)
             if (x(i) < 0) cycle\n s = s + sum(w)\n end block\n end do"),
            ("block_param", "block\n integer, parameter :: m = 2\n real(8) :: w(m)\n w = s\n w(m) = 3\n t = sum(w)\n end block"),
            ("clashing_temps", "s = g(s) + g(t)\n y = x(n:1:-1)\n tmp1 = tmp1\n y = y + tmp1*i1"),
            ("block_in_associate", "associate (q => x)\n block\n real(8) :: q1\n q1 = q(1)\n q = q1*q\n end block\n end associate"),
        ],
    });
}
