! head: m::g(y)/(x)
! A target that is given its shape again by an assignment is freed at the end.
module m
implicit none
contains
subroutine f(x,y)
real(8), intent(in) :: x(4)
real(8), intent(out) :: y
real(8), allocatable, target :: w(:)
real(8), pointer :: p(:)
allocate(w(4))
w = x
p => w(4:1:-1)
p(1) = p(1)**2
y = sum(w)*p(2)
nullify(p)
deallocate(w)
end subroutine
subroutine g(x,y)
real(8), intent(in) :: x(4)
real(8), intent(out) :: y
real(8) :: t
integer :: i
y=1
do i=1,3
 call f(x*y,t)
 y=y+t*sin(y)
end do
end subroutine
end module
