! head: m::f(y)/(x)
! size: n=6
! a dummy target is assigned through a local pointer
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: t(n)
    call g(n, x, t)
    y = t + x
  end subroutine f
  subroutine g(n, x, t)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out), target :: t(n)
    real(8), pointer :: p(:)
    integer :: i
    p => t
    do i = 1, n
      p(i) = x(i)*x(i)
    end do
  end subroutine g
end module m
