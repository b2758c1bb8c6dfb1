! An internal procedure asks whether a variable of its host has memory.
! head: m::f(y)/(x)
module m
  implicit none
contains
  subroutine f(x,y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(1)
    real(8), allocatable :: a(:)
    allocate(a(5))
    y(1)=x(1)
    call g(y(1))
    deallocate(a)
    call g(y(1))
    y(1)=y(1)*x(2)
  contains
    subroutine g(v)
      real(8), intent(inout) :: v
      if(allocated(a)) then
      v=v*size(a)+v**2
    else
      v=v*3
    end if
  end subroutine
end subroutine
end module
