! head: m::f(y)/(x)
! A pointer of the module leads to an internal procedure, which others can't name.
! refused: C0405 at 17
module m
implicit none
abstract interface
 real(8) function fn(a)
 real(8),intent(in)::a
 end function
end interface
procedure(fn),pointer::gp=>null()
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y
gp=>h
y=gp(x(2))
contains
real(8) function h(a)
real(8),intent(in)::a
h=a*x(1)
end function
end subroutine
end module
