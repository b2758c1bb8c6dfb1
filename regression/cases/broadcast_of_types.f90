! head: m::f(y)/(x)
! A function value of a type with arrays within arrays goes to all elements.
module m
implicit none
type pt
 real(8)::c(2)
end type
type bx
 type(pt)::p(3)
end type
contains
type(bx) function mkb(x) result(b)
real(8),intent(in)::x(6)
integer::i
do i=1,3
 b%p(i)=pt(x([i,7-i])**2)
end do
end function
subroutine f(x,y)
real(8),intent(in)::x(6)
real(8),intent(out)::y(1)
type(bx)::b(2)
b=mkb(x)
y(1)=b(1)%p(2)%c(1)*b(2)%p(1)%c(2)
end subroutine
end module
