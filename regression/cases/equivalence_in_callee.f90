! head: m::f(y)/(x)
! Reals share memory by equivalence in a called procedure.
module m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
call g(x(1),y(1))
end subroutine
subroutine g(a,r)
real(8),intent(in)::a
real(8),intent(out)::r
real(8)::s,t
equivalence(s,t)
s=a
r=t
end subroutine
end module
