! head: m::f(y)/(x)
! optional arguments that are absent are handed on to calls that overwrite them
module m
implicit none
contains
recursive subroutine h(a,b,c)
real(8),intent(in)::a
real(8),intent(inout),optional::b
real(8),intent(out),optional::c
if(present(b)) b=b*b*a
if(present(c)) c=a*a
end subroutine
subroutine g(a,b,c)
real(8),intent(in)::a
real(8),intent(inout),optional::b
real(8),intent(out),optional::c
call h(a*a,b=b,c=c)
if(present(c).and.present(b)) c=c*b
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
real(8)::w
w=x(1)
call g(x(2),b=w)
call g(x(3),c=y(1))
y(1)=y(1)*w
end subroutine
end module
