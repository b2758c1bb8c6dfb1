! A text gets other memory between two calls that ask for its length.
! head: m::f(y)/(x)
module m
  implicit none
contains
  subroutine g(s,v)
    character(:), allocatable, intent(in) :: s
    real(8), intent(inout) :: v
    v=v*len(s)
  end subroutine
  subroutine f(x,y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(1)
    character(:), allocatable :: t
    integer :: i
    y(1)=x(1)
    allocate(character(4) :: t)
    call g(t,y(1))
    deallocate(t)
    t='ab'
    call g(t,y(1))
    y(1)=y(1)*x(2)
  end subroutine
end module
