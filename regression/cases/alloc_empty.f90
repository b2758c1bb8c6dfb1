! Arrays without elements
! head: zerosize_m::f(y)/(x)
! value: n=0
module zerosize_m
implicit none
contains
subroutine f(x,y,n)
integer,intent(in)::n
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
real(8),allocatable::a(:),b(:,:)
allocate(a(n),b(2:1,3))
a=x(1:n)**2
b=1
y(1)=sum(a)+sum(b)+x(1)*size(a)+x(2)**2
a=[a,x]
a=a(1:2)
y(1)=y(1)*a(1)*product(b)
deallocate(a)
allocate(a(n))
call h(a)
y(1)=y(1)+sum(a)
end subroutine
subroutine h(a)
real(8),allocatable,intent(inout)::a(:)
a=a*2
if(size(a)==0) return
a(1)=3
end subroutine
end module
