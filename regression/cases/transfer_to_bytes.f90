! head: m::f(y)/(x)
! a message buffer of characters
! refused: C0402 at 12
module m
contains
subroutine f(n,x,y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  character(len=1), allocatable :: buf(:)
  buf = transfer(x, buf)
  y = transfer(buf, y)
end subroutine
end module
