! head: m::f(j)/(p)
! size: n=7
! refused: C0409 at 15
! The state has another meaning where the loop is left.
module m
  implicit none
contains
  subroutine f(n, p, j)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n)
    real(8), intent(out) :: j
    real(8) :: u(n), v(n), err
    integer :: i, it
    u = 0.0d0
    !$ad fixed-point
    do it = 1, 200
      v = u
      u = 0.3d0*cos(u) + 0.1d0*p
      if (maxval(abs(0.9d0*u + 0.1d0*p - v)) < 1.0d-15) exit
      u = 0.9d0*u + 0.1d0*p
    end do
    j = sum(u**3)
  end subroutine f

end module m
