! head: m::f(y)/(x)
! a dummy procedure of the head: which procedure it is isn't known
! refused: C0405 at 18
module m
implicit none
abstract interface
 real(8) function fn(a)
 real(8),intent(in)::a
 end function
end interface
contains
subroutine f(x,y,p)
real(8),intent(in)::x(3)
real(8),intent(out)::y(3)
procedure(fn)::p
integer::i
do i=1,3
y(i)=p(x(i))
end do
end subroutine
end module
