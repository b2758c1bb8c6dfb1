! head: m::f(y)/(x)
! Arrays of high rank: nests of as many loops, through which facts about sections are followed.
module m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(8)
real(8),intent(out)::y(1)
real(8)::a(2,2,2,2,2,2,2)
a=x(1)
a(2,:,:,:,1,:,:)=a(1,:,:,:,2,:,:)*a(2,:,:,:,1,:,:)
y(1)=sum(a**2)
end subroutine
end module
