! An array that every step makes longer, in a time loop that runs in blocks: its derivative has the final shape.
! head: m::f(y)/(x)
! size: n=7
module m
  implicit none
  real(8) :: total
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    y = 0.7d0*x
    total = 0.3d0*x(1)
    call grow(n, x)
    y(n) = y(n) + 0.3d0*sin(total)
  end subroutine f

  subroutine grow(n, start)
    integer, intent(in) :: n
    real(8), intent(in) :: start(n)
    integer :: i
    real(8), allocatable :: list(:)
    list = 0.3d0*start
    do i = 1, n
      list = [list, total]
      total = sin(total + sum(list))
    end do
  end subroutine grow
end module m
