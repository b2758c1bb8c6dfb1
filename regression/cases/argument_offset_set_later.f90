! head: m::f(y)/(x)
! size: n=4
! refused: C0407 at 23
! where a part of a work array begins is set after the call that uses it
module m
contains
real(8) function both(n,a,b)
integer,intent(in)::n
real(8),intent(inout)::a(n)
real(8),intent(in)::b(n)
a=a*b
both=sum(a)
end function
subroutine f(n,k,x,y)
implicit none
integer,intent(in)::n
integer,intent(inout)::k
real(8),intent(in)::x(n)
real(8),intent(out)::y(2)
real(8)::w(3*n)
w(1:n)=x
w(n+1:)=1.5d0
y(1)=both(n,w(1),w(k))
k=n+1
y(2)=sum(w)
end subroutine
end module
