! head: m::f(y)/(x)
! size: n=4 k=3
! pointers of integers and logicals steer; derived type copy shares pointer targets
module m
implicit none
type state
 real(8), pointer :: v(:)
 integer, pointer :: idx(:)
 real(8) :: w
end type
contains
subroutine change(s, f)
type(state), intent(in) :: s
real(8), intent(in) :: f
s%v(s%idx) = s%v(s%idx)*f
end subroutine
subroutine f(n,k,x,y)
integer, intent(in) :: n, k
real(8), intent(in) :: x(n)
real(8), intent(out) :: y(n)
type(state) :: a, b
integer, target :: list(2)
real(8), target :: data(n)
integer :: j
data = x
list = [1,3]
a%v => data
a%idx => list
a%w = x(2)
b = a
do j=1,k
 call change(b, a%w)
 list = 1 + mod(list, n)
 b%w = b%w*a%v(1)
end do
y = a%v + b%w
end subroutine
end module
