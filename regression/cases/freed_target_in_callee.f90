! head: m::f(y)/(x)
! A called procedure frees targets in a loop.
module m
implicit none
contains
subroutine work(x,n,r)
real(8), intent(in) :: x(4)
integer, intent(in) :: n
real(8), intent(out) :: r
real(8), allocatable, target :: w(:)
real(8), pointer :: p(:)
integer :: i
r = 0
do i = 1, n
 if (allocated(w)) deallocate(w)
 allocate(w(i+1))
 w = x(1:i+1)
 p => w(2:)
 p = p*w(1)
 r = r + sum(p)*p(1)
end do
end subroutine
subroutine f(x,y)
real(8), intent(in) :: x(4)
real(8), intent(out) :: y
real(8) :: t, z(4)
integer :: i
y = 0
z = x
do i = 0, 3
 call work(z, i, t)
 z(1) = z(1) + t
 y = y + t*z(2)
end do
end subroutine
end module
