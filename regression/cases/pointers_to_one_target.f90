! Two pointers that a callee may have given one target are passed together, and one of them is changed.
! head: m::f(y)/(x)
! refused: C0407 at 31
module m
  implicit none
contains
  subroutine follow(a, b, k)
    real(8), pointer :: a(:), b(:)
    integer, intent(in) :: k
    if (k > 2) a => b
  end subroutine

  subroutine step(now, new)
    real(8), intent(in) :: now(:)
    real(8), intent(inout) :: new(:)
    new = now*1.1d0 - 0.2d0*now**2*new
  end subroutine

  subroutine f(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    real(8), target :: first(4), second(4)
    real(8), pointer :: now(:), new(:)
    integer :: i
    first = x
    second = x**2
    now => first
    new => second
    do i = 1, n
      call step(now, new)
      call follow(now, new, i)
    end do
    y = now + 0.1d0*new
  end subroutine
end module
