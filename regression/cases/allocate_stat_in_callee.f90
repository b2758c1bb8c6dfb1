! head: m::f(y)/(x)
! the same in a called procedure, of a module variable
module m
implicit none
real(8),allocatable::a(:)
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
integer::i
if(allocated(a)) deallocate(a)
do i=1,2
call g(x)
end do
y(1)=sum(a**2)
end subroutine
subroutine g(x)
real(8),intent(in)::x(3)
integer::st
allocate(a(3),stat=st)
if(st==0) a=x
a(1)=a(1)*2
end subroutine
end module
