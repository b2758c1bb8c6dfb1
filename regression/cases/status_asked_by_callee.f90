! A callee asks whether its argument has memory, which was freed between two calls.
! head: m::f(y)/(x)
module m
  implicit none
contains
  subroutine g(v,o)
    real(8), intent(inout) :: v
    real(8), intent(in), allocatable :: o(:)
    if(allocated(o)) then
    v=v*size(o)+v**2
  else
    v=v*3
  end if
end subroutine
subroutine f(x,y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(1)
  real(8), allocatable :: a(:)
  allocate(a(5))
  y(1)=x(1)
  call g(y(1),a)
  deallocate(a)
  call g(y(1),a)
  y(1)=y(1)*x(2)
end subroutine
end module
