! head: m::f(y)/(x)
! A call through a pointer under a mask is no statement that could be repeated for each procedure that it may lead to.
! refused: C0405 at 22
module m
implicit none
abstract interface
 real(8) function fn(a)
 real(8),intent(in)::a
 end function
end interface
procedure(fn),pointer::gp=>null()
contains
real(8) function sq(a)
real(8),intent(in)::a
sq=a*a
end function
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(3)
gp=>sq
where(x>0.1d0)
y=x*gp(x(1))
elsewhere
y=0
end where
end subroutine
end module
