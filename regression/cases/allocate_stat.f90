! head: m::f(y)/(x)
! allocate with stat= of something that is allocated: nothing happens, but the status says so
module m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
real(8),allocatable::a(:)
integer::i
allocate(a(3))
a=x
allocate(a(3),stat=i)
y(1)=sum(a**2)
if(i/=0) y(1)=y(1)*a(2)
end subroutine
end module
