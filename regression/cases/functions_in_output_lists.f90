! head: m::f(y)/(x)
! several functions with side effects in output lists
module m
implicit none
real(8)::acc
contains
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
character(80)::b
acc=x(1)
write(b,*) g(x(2)),acc
write(b,'(2f10.3)') g(x(2)),g(x(3))
y(1)=acc
y(2)=acc*x(1)
end subroutine
real(8) function g(a)
real(8),intent(in)::a
acc=acc*a
g=acc
end function
end module
