! head: top(y)/(x)
! size: n=5
! sequence association with sizes that are computed: leading parts that overlap in what they only read
subroutine top(n,x,y)
implicit none
integer::n,k
double precision::x(n),y(2),w(n)
w=x*x
y=0
do k=1,2
call both(n-k,w(k),w(k+1),y(k))
end do
end subroutine
subroutine both(n,a,b,r)
implicit none
integer::n,i
double precision::a(n),b(n),r
do i=1,n
r=r+a(i)*sin(b(i))
end do
end subroutine
