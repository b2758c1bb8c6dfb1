! head: m::f(y)/(x)
! common variable as argument; common read in callee under another layout
module m
contains
subroutine f(x,y)
implicit none
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
real(8)::a,b,c(2)
common /blk/ a,b,c
a=x(1); b=x(2)*x(1); c=x(3:4)
call s(b,y(1))
call s(c(2),y(2))
call s2(c,y(1))
end subroutine
subroutine s(v,r)
implicit none
real(8),intent(in)::v
real(8),intent(out)::r
real(8)::w(4)
common /blk/ w
r=v*w(1)+w(2)**2*v+w(4)
end subroutine
subroutine s2(v,r)
implicit none
real(8),intent(in)::v(2)
real(8),intent(inout)::r
real(8)::w(4)
common /blk/ w
r=r+sum(v*w(3:4))
end subroutine
end module
