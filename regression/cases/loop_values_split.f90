! The same with calls in two halves
! head: modvar_m::f(y)/(x)
! head: hostvar_m::f(y)/(x)
! head: shared_m::f(y)/(x)
! size: n=4
! calls: split
module modvar_m
implicit none
integer::i,j=1
contains
subroutine h(r,x)
real(8),intent(inout)::r
real(8),intent(in)::x(6)
r=r*x(i)+x(j)
end subroutine
subroutine g(r,x)
real(8),intent(inout)::r
real(8),intent(in)::x(6)
do j=1,2
 call h(r,x)
 if (r>1d3) exit
end do
call h(r,x)
end subroutine
subroutine f(x,y,n)
integer,intent(in)::n
real(8),intent(in)::x(6)
real(8),intent(out)::y(1)
y=1
do i=1,n
 call g(y(1),x)
end do
call g(y(1),x)
y=y*x(j)
j=1
i=1
end subroutine
end module

module hostvar_m
implicit none
contains
subroutine f(x,y,n)
integer,intent(in)::n
real(8),intent(in)::x(6)
real(8),intent(out)::y(1)
integer::i
y=1
do i=1,n
 call g()
end do
call g()
call walk
y=y*x(i)
contains
subroutine g()
 y=y*sin(x(i))+y**2
end subroutine
subroutine walk
do i=1,2
 y=y*y*x(i)
end do
call g
end subroutine
end subroutine
end module

module shared_m
implicit none
contains
subroutine f(x,y,n)
integer,intent(in)::n
real(8),intent(in)::x(6)
real(8),intent(out)::y(1)
integer::i,j
y=1
do i=1,n
 y=y*x(i)
 call p(i,y(1),x)
end do
call p(i,y(1),x)
do j=i,6
 y=y+x(j)*i
end do
do i=1,j-4
 y=y*x(i)
end do
end subroutine
subroutine p(k,r,x)
integer::k
real(8)::r,x(6)
r=r+x(k)*k
end subroutine
end module
