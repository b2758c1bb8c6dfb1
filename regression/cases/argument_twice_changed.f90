! head: m::f(y)/(x)
! one array is passed for an input and for an output
module m
implicit none
contains
subroutine step(a,b,t)
real(8),intent(in)::a(:)
real(8),intent(inout)::b(:), t(:)
t = a*2
b = t + a*b
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(4)
real(8)::s(4), w(4)
s=x
call step(s,s,w)
y=s+w
end subroutine
end module
