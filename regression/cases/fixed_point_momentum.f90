! head: m::f(j)/(p)
! size: n=7
! The state of a fixed point is kept in two variables.
module m
  implicit none
contains
  subroutine f(n, p, j)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n)
    real(8), intent(out) :: j
    real(8) :: u(n), v(n), err
    integer :: i, it
    real(8) :: w(n)
    u = 0.0d0
    v = 0.0d0
    err = 1.0d0
    !$ad fixed-point
    do while (err > 1.0d-15)
      w = 0.4d0*sin(u) + p + 0.1d0*(u - v)
      err = maxval(abs(w - u)) + maxval(abs(u - v))
      v = u
      u = w
    end do
    j = sum(u**2)
  end subroutine f

end module m
