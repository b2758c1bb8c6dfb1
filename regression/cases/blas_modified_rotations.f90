! Modified rotations of BLAS: matrices of all four kinds, of active elements and of others, by strides of both signs; what the kind
! doesn't use isn't set.
! head: m::f(y)/(x)
! size: n=4
! link: -llapack -lblas
module m
  implicit none
contains
  subroutine turn(n, kind, v, w, h)
    integer, intent(in) :: n, kind
    real(8), intent(inout) :: v(2*n), w(n)
    real(8), intent(in) :: h(4)
    real(8) :: param(5)
    param(1) = kind
    if (kind == -1) param(2:) = h
    if (kind == 0) param(3:4) = h(2:3)
    if (kind == 1) then
      param(2) = h(1)
      param(5) = h(4)
    end if
    call drotm(n, v(2), -2, w, 1, param)
    call drotm(n - 1, w, 1, v, 1, param)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: v(2*n), w(n)
    integer :: kind
    v(:n) = x
    v(n+1:) = sin(x)
    w = x**2
    do kind = -2, 1
      call turn(n, kind, v, w, [cos(x(1)), x(2), -x(3), 0.5d0 + x(4)])
      w = w*0.5d0 + x*v(:n)
    end do
    call drotm(n, v, 2, w, -1, [-1d0, 0.3d0, -0.4d0, 0.5d0, 0.6d0])
    call drotm(n, v, 2, w, -1, [1d0, 0.3d0, 0d0, 0d0, 0.6d0])
    y = w*v(:n) + v(n+1:)
  end subroutine
end module
