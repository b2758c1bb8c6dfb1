! head: m::f(y)/(x)
! a stream file is written and read back
! refused: C0408 at 14
module m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
real(8)::t(3)
integer::u
open(newunit=u,status='scratch',access='stream',form='unformatted')
write(u) x
read(u,pos=1) t
close(u)
y(1)=sum(t)*x(1)
end subroutine
end module
