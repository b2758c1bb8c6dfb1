! head: m::f(j)/(p)
! size: n=7
! refused: C0409 at 15
! An iteration that depends on its number.
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
    do it = 1, 100
      v = u
      u = 0.3d0*sin(u) + p*0.2d0/it
    end do
    j = sum(u**2)
  end subroutine f

end module m
