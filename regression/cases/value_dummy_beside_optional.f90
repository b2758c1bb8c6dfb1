! head: m::f(y)/(x)
! a value dummy that is changed beside an optional that is handed on
module m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
call s(x(1),y(1))
call s(x(2),y(2),x(3))
end subroutine
subroutine s(a,r,b)
real(8),intent(in)::a
real(8),intent(out)::r
real(8),intent(in),optional::b
r=t(a,b)+a
end subroutine
real(8) function t(a,b)
real(8),value::a
real(8),intent(in),optional::b
a=a*2
t=a*a
if(present(b)) t=t*b
end function
end module
