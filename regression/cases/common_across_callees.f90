! head: m::f(y)/(x)
! A common block carries a value between two called procedures.
module m
implicit none
contains
subroutine put(a)
real(8),intent(in)::a
real(8)::s
common /blk/ s
s=a
end subroutine
subroutine get(a)
real(8),intent(out)::a
real(8)::s
common /blk/ s
a=s
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
call put(x(1))
call get(y(1))
end subroutine
end module
