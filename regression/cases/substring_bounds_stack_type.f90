! head: m::f(y)/(x)
! Variables select parts of texts.
module m
implicit none
type stack
 real(8) :: d(10) = 0
 integer :: top = 0
end type
contains
subroutine push(s, v)
type(stack), intent(inout) :: s
real(8), intent(in) :: v
s%top = s%top + 1
s%d(s%top) = v
end subroutine
real(8) function pop(s)
type(stack), intent(inout) :: s
pop = s%d(s%top)
s%top = s%top - 1
end function
subroutine f(x,y)
real(8), intent(in) :: x(4)
real(8), intent(out) :: y
character(7) :: prog = '01+2*3-'
type(stack) :: s
integer :: i
real(8) :: a
do i=1,len(prog)
 select case (prog(i:i))
 case ('0':'9')
  call push(s, x(ichar(prog(i:i)) - ichar('0') + 1))
 case ('+')
  a = pop(s); call push(s, pop(s) + a)
 case ('*')
  a = pop(s); call push(s, pop(s)*a)
 case ('-')
  a = pop(s); call push(s, pop(s) - a**2)
 end select
end do
y = pop(s)*(1 + s%top)
end subroutine
end module
