! head: m::f(y)/(x)
! host variable of an internal procedure, module variable read two levels down, common
module m
implicit none
real(8)::g(5), gl(3)
contains
subroutine deep(a, r)
real(8),intent(in)::a(:)
real(8),intent(inout)::r
r = r + sum(a*g(1:size(a)))*g(5)
end subroutine
subroutine s(a,r)
real(8),intent(in)::a(3)
real(8),intent(inout)::r
call deep(a, r)
call deep(a(1:2), r)
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(5)
real(8),intent(out)::y(3)
real(8)::loc(3)
g=x; y=0
gl = sin(x(1:3))
call s(g(3:5), y(1))
call s(g(1:5:2), y(1))
loc = x(1:3)**2
call inner(loc, y(2))
call inner(loc(3:1:-1), y(2))
call inner(gl, y(3))
contains
subroutine inner(a, r)
real(8),intent(in)::a(3)
real(8),intent(inout)::r
r = r + sum(a*loc) + loc(1)*a(2) + gl(1)*a(1)
end subroutine
end subroutine
end module
