! head: m::f(y)/(x)
! an element is passed that the callee reads by its own name too
module m
implicit none
real(8)::h(3)
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
h=x
call s(h(2),y(1))
end subroutine
subroutine s(a,r)
real(8),intent(in)::a
real(8),intent(out)::r
real(8)::c(3)
c=h*a+h(2)
r=sum(c*c)*a
end subroutine
end module
