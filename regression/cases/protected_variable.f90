! head: m::f(y)/(x)
! layout: extend
! A protected variable is changed by a procedure of its module: only that module can restore it.
module st
implicit none
real(8),protected::p=2
real(8),protected::q(3)=1
contains
subroutine setp(a)
real(8),intent(in)::a(3)
q=a**2
p=p*0+a(1)
end subroutine
end module
module m
use st
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(2)
call setp(x)
y(1)=p*q(2)
call setp(x*2)
y(2)=q(3)*p
end subroutine
end module
