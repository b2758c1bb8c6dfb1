! head: m::f(y)/(x)
! value dummy, global changed inside
module m
implicit none
real(8)::h(4)
contains
subroutine s(a,r)
real(8),value::a
real(8),intent(out)::r
h(2) = a*h(2)
a = a*h(3)
r = a*h(2)
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
h=x
call s(h(2),y(1))
y(2)=sum(h**2)
end subroutine
end module
