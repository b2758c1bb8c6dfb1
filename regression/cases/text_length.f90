! A text whose length changes from iteration to iteration, and that the backward sweep asks for: it goes to a tape.
! head: m::f(y)/(x)
module m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
character(:),allocatable::s
real(8)::w(3)
integer::k
w=x
do k=1,3
 s=repeat('ab',k)
 w(len(s)/2)=w(len(s)/2)*w(1)
 s=s//'c'
 w(len(s)/3)=w(len(s)/3)*w(2)
end do
y(1)=sum(w)*len(s)
end subroutine
end module
