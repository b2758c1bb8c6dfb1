module m
  implicit none
  integer, parameter :: dp = kind(1d0)

contains

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(dp), intent(in) :: x(n)
    real(dp), intent(out) :: y(n)
    real(dp), allocatable :: s, t(:)
    allocate(s)
    s = x(1)
    s = s*x(2)
    allocate(t(0:n-1), source=x*s)
    y = t(n-1:0:-1)
    deallocate(s)
    s = y(1)
    y = y*s

  end subroutine f
end module m
