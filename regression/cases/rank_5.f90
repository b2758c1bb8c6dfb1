! head: m::f(y)/(x)
! Arrays of high rank: nests of as many loops, through which facts about sections are followed.
module m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(8)
real(8),intent(out)::y(1)
real(8)::a(2,1,2,1,2)
a=reshape(x,[2,1,2,1,2])
y(1)=sum(product(a,dim=5))
end subroutine
end module
