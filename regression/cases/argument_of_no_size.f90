! head: m::f(y)/(x)
! zero-size arrays and zero-trip loops with shared memory
module m
implicit none
real(8)::g(4)
contains
subroutine s(n,a,r)
integer,intent(in)::n
real(8),intent(in)::a(n)
real(8),intent(inout)::r
integer::i
do i=1,n
r=r+a(i)*g(i)
end do
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
integer::k
g=x
y=1
do k=0,2
call s(k,g(1:k),y(1))
call s(k,g(2),y(2))
end do
do k=3,2
call s(k,g,y(1))
end do
end subroutine
end module
