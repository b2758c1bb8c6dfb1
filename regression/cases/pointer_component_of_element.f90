! head: m::f(y)/(x)
! A called procedure associates the pointer component of one element of an array.
module m
implicit none
type a_t
 real(8) :: v(2)
end type
type b_t
 type(a_t), pointer :: a => null()
 integer :: own = 0
end type
type c_t
 type(b_t) :: b(2)
end type
contains
subroutine touch(c, k)
type(c_t), intent(inout) :: c
integer, intent(in) :: k
c%b(k)%a%v = c%b(k)%a%v*c%b(3-k)%a%v(1)
c%b(k)%own = c%b(k)%own + 1
if (c%b(k)%own > 1) c%b(k)%a => c%b(3-k)%a
end subroutine
subroutine f(x,y)
real(8), intent(in) :: x(4)
real(8), intent(out) :: y(4)
type(c_t) :: c
type(a_t), target :: s(2)
integer :: i
s(1)%v = x(1:2); s(2)%v = x(3:4)
c%b(1)%a => s(1); c%b(2)%a => s(2)
do i=1,5
 call touch(c, 1+mod(i,2))
end do
y(1:2) = s(1)%v; y(3:4) = s(2)%v*c%b(1)%a%v(2)
end subroutine
end module
