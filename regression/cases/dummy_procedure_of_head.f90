! head: m::f(y)/(x)
! What a dummy procedure of the head may read beside its arguments is active.
! refused: C0405 at 18
module m
implicit none
real(8)::c
abstract interface
 pure real(8) function fn(a)
 real(8),intent(in)::a
 end function
end interface
contains
subroutine f(x,y,p)
real(8),intent(in)::x
real(8),intent(out)::y
procedure(fn)::p
c=x
y=p(x)*c
end subroutine
end module
