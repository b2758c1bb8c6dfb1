! head: m::f(y)/(x)
! refused: C0407 at 18
! the whole variable is an argument, and is changed by its own name
module m
implicit none
real(8)::h(4)
contains
subroutine s(a,r)
real(8),intent(in)::a(4)
real(8),intent(out)::r
h(1) = 2*a(2)
r = a(1)*h(1)
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
h=x
call s(h,y(1))
y(2)=sum(h**2)
end subroutine
end module
