! head: m::f(y)/(x)
! an element is assigned through a dummy, others are read by their own name
module m
implicit none
real(8)::h(4)
contains
subroutine s(a,r)
real(8),intent(out)::a
real(8),intent(out)::r
a = h(2)*h(3)
r = h(3)**2
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
h=x
call s(h(1),y(1))
y(2)=sum(h**2)
end subroutine
end module
