! head: m::f(y)/(x)
! size: n=24
! threads: 2
! Procedures that a device may call: their derivatives are, too.
module m
  implicit none
  !$omp declare target (last)
contains
  subroutine g(a, b)
    !$omp declare target
    real(8), intent(in) :: a
    real(8), intent(out) :: b
    b = a**2
  end subroutine g
  real(8) function h(a)
    !$omp declare target to(h)
    real(8), intent(in) :: a
    h = sin(a)
  end function h
  subroutine last(a, b)
    real(8), intent(in) :: a
    real(8), intent(inout) :: b
    b = b*cos(a)
  end subroutine last
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    !$omp target teams distribute parallel do map(to: x) map(from: y)
    do i = 1, n
      call g(x(i), y(i))
      y(i) = y(i)*h(x(i))
      call last(x(i), y(i))
    end do
  end subroutine f
end module m
