! The list of `inquire(iolength=...)` is one of output: its items keep their values.
! head: m::f(y)/(x)
module m
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(2)
    real(8) :: t
    integer :: length, status
    logical :: known
    t = x(1)**2
    inquire (iolength=length) t, x
    y(1) = t*length
    inquire (unit=77, opened=known, iostat=status)
    if (.not. known) y(1) = y(1)*x(2)
    y(2) = t*x(3)
  end subroutine
end module
