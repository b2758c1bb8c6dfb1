! head: m::f(y)/(x)
! refused: C0410 at 12
! c_loc and c_f_pointer
module m
use iso_c_binding
implicit none
contains
subroutine g(cp,r)
type(c_ptr), value :: cp
real(8), intent(out) :: r
real(8), pointer :: q(:)
call c_f_pointer(cp,q,[4])
r=sum(q**2)
end subroutine
subroutine f(x,y)
real(8), intent(in) :: x(4)
real(8), intent(out) :: y(2)
real(8), target :: a(4)
a=x**2
call g(c_loc(a),y(1))
y(2)=x(1)
end subroutine
end module
