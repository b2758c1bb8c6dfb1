module m
  implicit none
contains
  function sq(x) result(r)
    real(8), intent(in) :: x(:)
    real(8), allocatable :: r(:)
    allocate(r(size(x)))
    r = x**2
  end function
  subroutine f(n,x,y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), allocatable, intent(out) :: y(:)
    allocate(y(n))
    y = sq(x)
    y(1:n-1) = y(1:n-1)*sq(x(2:n))
    y(:) = sq(y)
  end subroutine f
end module m
