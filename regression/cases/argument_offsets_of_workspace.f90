! head: top(y)/(x)
! size: n=5
! workspace in pieces by offsets, in a loop, with assumed size dummies
subroutine top(n,x,y)
implicit none
integer::n
double precision::x(n),y(n),w(3*n)
integer::i1,i2,i3,it
i1=1
i2=n+1
i3=2*n+1
w(1:n)=x
w(n+1:2*n)=x**2
w(2*n+1:)=1
do it=1,2
call comb(n,w(i1),w(i2),w(i3))
call scal(n,w(i3),w(i1))
end do
y=w(1:n)+w(2*n+1:3*n)
end subroutine
subroutine comb(n,a,b,c)
implicit none
integer::n,i
double precision::a(*),b(*),c(*)
do i=1,n
c(i)=c(i)+a(i)*b(i)
end do
end subroutine
subroutine scal(n,a,b)
implicit none
integer::n,i
double precision::a(n),b(n)
do i=1,n
b(i)=b(i)*0.5d0+0.1d0*a(i)
end do
end subroutine
