! An argument that was freed before a call is absent there.
! head: m::f(y)/(x)
module m
  implicit none
contains
  function g(v,o) result(r)
    real(8), intent(in) :: v
    real(8), intent(in), optional :: o(:)
    real(8) :: r
    r=v
    if(present(o)) r=r*size(o)
  end function
  subroutine f(x,y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(1)
    real(8), allocatable :: a(:)
    a=x
    y(1)=g(x(2),a)
    deallocate(a)
    y(1)=y(1)*g(x(3),a)
  end subroutine
end module
