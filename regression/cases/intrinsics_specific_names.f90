! Specific names of intrinsic functions, with arguments of the kind that each is for.
! head: m::f(y)/(x)
! head: m::g(y)/(x)
! head: m::z(y)/(x)
! head: m::w(y)/(x)
module m
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(37)
    real(8) :: a, b, c
    a = x(1)
    b = x(2)
    c = 1d0 + x(3)
    y(1) = dabs(a-1d0)
    y(2) = dacos(a)
    y(3) = dacosh(c)
    y(4) = dasin(a)
    y(5) = dasinh(a)
    y(6) = datan(a)
    y(7) = datan2(a,b)
    y(8) = datanh(a)
    y(9) = dcos(a)
    y(10) = dcosh(a)
    y(11) = dexp(a)
    y(12) = dlog(a)
    y(13) = dlog10(a)
    y(14) = dsin(a)
    y(15) = dsinh(a)
    y(16) = dsqrt(a)
    y(17) = dtan(a)
    y(18) = dtanh(a)
    y(19) = dsign(a,-b)
    y(20) = dmod(c,a)
    y(21) = ddim(c,b)
    y(22) = ddim(b,c)
    y(23) = dint(4*a)*b
    y(24) = dnint(4*a)*b
    y(25) = idint(4*a)*b
    y(26) = idnint(4*a)*a
    y(27) = dmax1(a,b,c)
    y(28) = dmin1(a,b,c)
    y(29) = dble(sngl(a))*b+a
    y(30) = dfloat(nint(3*a))*b
    y(31) = derf(a)
    y(32) = derfc(a)
    y(33) = dgamma(c)
    y(34) = dprod(real(nint(4*a)),2.0)*b
    y(35) = float(nint(3*a))*b
    y(36) = max0(nint(a),2)*b
    y(37) = min0(nint(3*a),1)*c
  end subroutine f
  subroutine g(x, y)
    real(4), intent(in) :: x(3)
    real(4), intent(out) :: y(16)
    real(4) :: a, b, c
    a = x(1)
    b = x(2)
    c = 1.0 + x(3)
    y(1) = alog(a)
    y(2) = alog10(a)
    y(3) = amod(c,a)
    y(4) = amax1(a,b)
    y(5) = amin1(a,b,c)
    y(6) = max1(3*a,2*b)*a
    y(7) = min1(3*a,4*b)*b
    y(8) = amax0(nint(3*a),1)*b
    y(9) = amin0(nint(3*a),2)*c
    y(10) = ifix(4*a)*b
    y(11) = float(nint(4*a))*b
    y(12) = isign(3,-nint(c))*a
    y(13) = idim(5,nint(a))*a
    y(14) = iabs(-nint(c))*a
    y(15) = sngl(dprod(a,b))
    y(16) = sngl(dprod(a,a)*dble(c))
  end subroutine g
  subroutine z(x, y)
    real(8), intent(in) :: x(3)
    complex(8), intent(out) :: y(17)
    complex(8) :: p, q
    p = cmplx(x(1), x(2), 8)
    q = cmplx(x(3), x(1)*x(2), 8)
    y(1) = zabs(p)
    y(2) = cdabs(q)*p
    y(3) = zcos(p)
    y(4) = cdcos(q)
    y(5) = zexp(p)
    y(6) = cdexp(q)
    y(7) = zlog(p)
    y(8) = cdlog(q)
    y(9) = zsin(p)
    y(10) = cdsin(q)
    y(11) = zsqrt(p)
    y(12) = cdsqrt(q)
    y(13) = dreal(p)*q
    y(14) = dimag(q)*p
    y(15) = dconjg(p)*q
    y(16) = dcmplx(x(1),x(2))*q
    y(17) = dcmplx(x(3))*p
  end subroutine z
  subroutine w(x, y)
    real(4), intent(in) :: x(3)
    complex(4), intent(out) :: y(6)
    complex(4) :: p, q
    p = cmplx(x(1), x(2), 4)
    q = cmplx(x(3), x(1)*x(2), 4)
    y(1) = cabs(p)
    y(2) = ccos(p)
    y(3) = cexp(q)
    y(4) = clog(p)
    y(5) = csin(q)
    y(6) = csqrt(p)*conjg(q)
  end subroutine w
end module m
