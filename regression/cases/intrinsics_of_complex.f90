! Intrinsic functions and powers of complex arguments, in both precisions.
! head: m::f8(y)/(x)
! head: m::f4(y)/(x)
! head: m::arrays(y, r)/(x)
module m
  implicit none
contains
  subroutine f8(x, y)
    real(8), intent(in) :: x(3)
    complex(8), intent(out) :: y(42)
    complex(8) :: p, q
    p = cmplx(x(1), x(2), 8)
    q = cmplx(x(3), x(1)*x(2), 8)
    y(1) = abs(p)
    y(2) = abs(p-q)*q
    y(3) = aimag(p)
    y(4) = conjg(p)*q
    y(5) = cmplx(x(1),x(2),8)*q
    y(6) = cmplx(x(3),kind=8)*p
    y(7) = cmplx(p,kind=8)*q
    y(8) = real(p,8)*q
    y(9) = real(p,8)*p
    y(10) = cos(p)
    y(11) = cosh(p)
    y(12) = exp(p)
    y(13) = log(p)
    y(14) = sin(q)
    y(15) = sinh(q)
    y(16) = sqrt(p)
    y(17) = tan(p)
    y(18) = tanh(q)
    y(19) = acos(p)
    y(20) = asin(p)
    y(21) = atan(q)
    y(22) = acosh(p)
    y(23) = asinh(p)
    y(24) = atanh(q)
    y(25) = p**3
    y(26) = p**(-2)
    y(27) = p**q
    y(28) = q**x(1)
    y(29) = x(2)**p
    y(30) = 2**q
    y(31) = p**0.5
    y(32) = p/q
    y(33) = x(1)/q
    y(34) = q/x(2)
    y(35) = merge(p,q,x(1)>0)
    y(36) = dble(p)*q
    y(37) = abs(real(p))*p
    y(38) = sign(aimag(q),-1d0)*p
    y(39) = cmplx(real(q),-aimag(p),8)*p
    y(40) = p*p-q*conjg(p)
    y(41) = p%re*q
    y(42) = p%im*q
  end subroutine f8
  subroutine f4(x, y)
    real(4), intent(in) :: x(3)
    complex(4), intent(out) :: y(42)
    complex(4) :: p, q
    p = cmplx(x(1), x(2), 4)
    q = cmplx(x(3), x(1)*x(2), 4)
    y(1) = abs(p)
    y(2) = abs(p-q)*q
    y(3) = aimag(p)
    y(4) = conjg(p)*q
    y(5) = cmplx(x(1),x(2),4)*q
    y(6) = cmplx(x(3),kind=4)*p
    y(7) = cmplx(p,kind=4)*q
    y(8) = real(p)*q
    y(9) = real(p,4)*p
    y(10) = cos(p)
    y(11) = cosh(p)
    y(12) = exp(p)
    y(13) = log(p)
    y(14) = sin(q)
    y(15) = sinh(q)
    y(16) = sqrt(p)
    y(17) = tan(p)
    y(18) = tanh(q)
    y(19) = acos(p)
    y(20) = asin(p)
    y(21) = atan(q)
    y(22) = acosh(p)
    y(23) = asinh(p)
    y(24) = atanh(q)
    y(25) = p**3
    y(26) = p**(-2)
    y(27) = p**q
    y(28) = q**x(1)
    y(29) = x(2)**p
    y(30) = 2**q
    y(31) = p**0.5
    y(32) = p/q
    y(33) = x(1)/q
    y(34) = q/x(2)
    y(35) = merge(p,q,x(1)>0)
    y(36) = dble(p)*q
    y(37) = abs(real(p))*p
    y(38) = sign(aimag(q),-1.0)*p
    y(39) = cmplx(real(q),-aimag(p),4)*p
    y(40) = p*p-q*conjg(p)
    y(41) = p%re*q
    y(42) = p%im*q
  end subroutine f4
  subroutine arrays(x, y, r)
    real(8), intent(in) :: x(6)
    complex(8), intent(out) :: y(14)
    real(8), intent(out) :: r(4)
    complex(8) :: u(3), v(3), a(2, 3), b(3, 2), c(2, 2)
    u = cmplx(x(1:3), x(4:6), 8)
    v = cmplx(x(6:4:-1)*x(1:3), x(2:4), 8)
    a = reshape([u, v], [2, 3])
    b = transpose(a)
    c = matmul(a, b)
    y(1) = sum(u)
    y(2) = product(v)
    y(3) = dot_product(u, v)
    y(4) = dot_product(v, u)
    y(5:6) = matmul(a, v)
    y(7:8) = matmul(u, conjg(b))
    y(9) = sum(c)*u(1)
    y(10:12) = cshift(u*v, 1)
    y(13) = sum(pack(u, abs(u) > abs(v)))
    y(14) = c(1, 2)*conjg(c(2, 1))
    r(1) = sum(abs(u)**2)
    r(2) = maxval(abs(v))
    r(3) = norm2(real(u, 8))*aimag(v(1))
    r(4) = real(dot_product(u, v), 8)
    u%re = x(1:3)*x(2)
    v%im = u%re*x(4:6)
    r(1) = r(1) + sum(abs(u)) + real(sum(v)**2, 8)
  end subroutine arrays
end module m
