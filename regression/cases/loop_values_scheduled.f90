! Loop variables that steps of a scheduled time loop hand on
! head: timeloop_m::f(y)/(x)
! size: n=9
module timeloop_m
implicit none
contains
subroutine f(x,y,n)
integer,intent(in)::n
real(8),intent(in)::x(6)
real(8),intent(out)::y(1)
integer::t,k
real(8)::s(6)
s=x
k=3
!$ad checkpoint schedule(revolve) snapshots(3)
do t=1,n
 s(1)=s(1)*sin(s(2))+s(k)*0.1d0
 do k=2,3+mod(t,2)
  s(k)=s(k)*cos(s(k-1))
  if (s(k)>5d0) exit
 end do
 s(5)=s(5)*s(k)
end do
y(1)=sum(s)*t+s(k)**2
end subroutine
end module
