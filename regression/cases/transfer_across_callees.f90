! head: m::f(y)/(x)
! bits are kept in a module variable
! refused: C0402 at 13
module m
implicit none
integer::store(2)
contains
subroutine put(a)
real(8),intent(in)::a
store=transfer(a,store)
end subroutine
real(8) function get() result(r)
r=transfer(store,r)
end function
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
call put(x(1)**2)
y(1)=get()+x(2)
end subroutine
end module
