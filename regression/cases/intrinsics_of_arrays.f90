! Every transformational intrinsic function of arrays, with `dim`, `mask` and the other optional arguments, by position
! and by keyword, with values that depend on the input and with those that steer.
! head: m::f(y, r, s)/(x)
! head: m::g(y)/(x)
! head: m::places(y)/(x)
! head: m::masks(y)/(x)
module m
  implicit none
contains
  subroutine f(x, y, r, s)
    real(8), intent(in) :: x(12)
    real(8), intent(out) :: y(4, 3), r(20), s(3, 4, 2)
    real(8) :: a(3, 4), b(4, 3), v(3), w(4), t(2, 3, 4)
    logical :: l(3, 4)
    a = reshape(x, [3, 4])
    b = transpose(a)*2d0
    l = a > 0.4d0
    v = sum(a, 2)
    w = sum(a, dim=1, mask=l)
    r(1) = sum(a)
    r(2) = sum(a, mask=l)
    r(3) = sum(v, 1)
    r(4) = product(x(1:4))
    r(5) = product(a(:, 1), mask=l(:, 1))
    r(6) = maxval(a)
    r(7) = minval(a, mask=l)
    r(8) = norm2(v)
    r(9) = dot_product(v, a(:, 2))
    r(10:12) = matmul(a, w)
    r(13:15) = matmul(w, b)
    r(16) = sum(matmul(a, b))
    r(17) = norm2(a)
    r(18:20) = maxval(a, dim=2)
    y = spread(v, 1, 4)*b
    y(:, 1) = y(:, 1) + product(a, dim=1)
    y(:, 2) = y(:, 2)*minval(a, dim=1, mask=l .or. a > 0.1d0) + norm2(a, dim=1)
    y(:, 3) = y(:, 3) - product(a, 1, a > 0.3d0)
    s(:, :, 1) = cshift(a, 1, dim=2)*eoshift(a, shift=-1, dim=1)
    s(:, :, 2) = eoshift(a, 1, boundary=x(12), dim=2) + cshift(a, [1, 0, 2, 1], 1)
    t = spread(a, dim=1, ncopies=2)
    s(:, :, 2) = s(:, :, 2) + sum(t, dim=1)*eoshift(a, [0, 1, -1], [x(1), x(2), x(3)], 2)
    s(:, :, 1) = s(:, :, 1)*maxval(t, 1) + spread(w, 1, 3)
  end subroutine f
  subroutine g(x, y)
    real(8), intent(in) :: x(12)
    real(8), intent(out) :: y(40)
    real(8) :: a(3, 4), v(3), p(12), c(2, 2), q(4, 3)
    logical :: l(3, 4)
    integer :: n
    a = reshape(source=x, shape=[3, 4])
    l = a < 0.6d0
    n = count(l)
    p = pack(a, l, vector=2d0*x)
    y(1:12) = p**2
    p(1:n) = pack(a, mask=l)
    y(13:24) = p
    y(1:3) = y(1:3) + unpack(x(1:3), [.true., .false., .true.], field=x(4:6))
    a = unpack(sin(x), l, a*2d0)
    y(25:36) = reshape(a, [12], order=[1])
    q = reshape(x(1:5), [4, 3], pad=x(6:8)**2, order=[2, 1])
    v = [x(1), x(2)*x(3), sum(q)]
    y(37) = dot_product(v, cshift(v, -1))
    c = reshape([x(1), x(2)], [2, 2], [x(3), x(4)])
    y(38) = sum(matmul(c, transpose(c)))
    v = merge(v, x(7:9), v > x(7:9))
    y(39) = product(v) + sum(merge(q, 0.5d0, q > 0.5d0))
    y(40) = sum(pack(q, .true.)) + sum(unpack(pack(q, q > 0.3d0), q > 0.3d0, 1.0d0))
  end subroutine g
  subroutine places(x, y)
    real(8), intent(in) :: x(12)
    real(8), intent(out) :: y(12)
    real(8) :: a(3, 4)
    integer :: k(2), kk(4), k3(3)
    a = reshape(x, [3, 4])
    k = maxloc(a)
    y(1) = a(k(1), k(2))**2
    k = minloc(a, mask=a > 0.3d0)
    y(2) = a(k(1), k(2))*x(1)
    kk = maxloc(a, dim=1)
    y(3) = a(kk(2), 2)
    k3 = minloc(a, dim=2)
    y(4) = a(3, k3(3))*x(2)
    y(5) = x(maxloc(x, 1))
    y(6) = x(minloc(x, 1, back=.true.))
    k(1) = findloc(x > 0.5d0, .true., 1)
    y(7) = merge(x(max(1, k(1))), x(3), k(1) > 0)
    k(1) = findloc([1, 2, 3, 2], value=2, dim=1, back=.true.)
    y(8) = x(k(1))*x(2)
    y(9) = x(size(a, 1))*x(ubound(a, dim=2))*x(lbound(a, 1))
    y(10) = x(count(a > 0.2d0))
    kk = count(a > 0.4d0, dim=1)
    y(11) = x(1 + kk(1))*sum(real(kk, 8))
    y(12) = sum(x(shape(a)))*rank(a)*x(size(x))
  end subroutine places
  subroutine masks(x, y)
    real(8), intent(in) :: x(12)
    real(8), intent(out) :: y(8)
    real(8) :: a(3, 4)
    logical :: l(3, 4)
    integer :: i(4)
    a = reshape(x, [3, 4])
    l = a > 0.05d0
    y = x(1:8)
    if (all(l)) y(1) = x(1)*x(2)
    if (any(a > 0.9d0)) y(2) = x(3)**2
    if (parity([x(1) > 0.5d0, x(2) > 0.5d0, .true.])) y(3) = x(4)*3d0
    where (all(l, dim=2)) y(4:6) = y(4:6)*x(9:11)
    where (any(a > 0.7d0, 1)) y(4:7) = y(4:7) + a(1, :)
    i = nint(4*x(1:4))
    y(8) = x(1)*iall(i) + x(2)*iany(i) + x(3)*iparity(i) + x(4)*sum(i) + x(5)*maxval(i) + x(6)*product(i)
    if (minval(i, mask=i > 100) > 100) y(7) = y(7)*x(12)
  end subroutine masks
end module m
