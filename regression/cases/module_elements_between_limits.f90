! head: f6(y)/(x)
! Elements of a module's array between limits, through two calls.
module m
  implicit none
  real(8) :: g(30) = 0.5d0
contains
  ! a module's array, through two calls, with 2*i
  subroutine even(x, lo, hi)
    real(8), intent(in) :: x(:)
    integer, intent(in) :: lo, hi
    integer :: i
    do i = lo, hi
      g(2*i) = g(2*i)**2 + x(i)
    end do
  end subroutine
  subroutine twice(x, k)
    real(8), intent(in) :: x(:)
    integer, intent(in) :: k
    call even(x, k, k+1)
    call even(x, k+1, k+2)
  end subroutine
  subroutine f6(x, y)
    real(8), intent(in) :: x(10)
    real(8), intent(out) :: y(30)
    integer :: k
    g = 0.5d0
    do k = 1, 8
      call twice(x, k)
    end do
    y = g*g
  end subroutine
end module
