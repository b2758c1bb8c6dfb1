! head: m::f(y)/(x)
! A call frees an output with a pointer to its own component.
module m
implicit none
type ws
 real(8), allocatable :: a(:), b(:,:)
 real(8), pointer :: view(:) => null()
end type
contains
subroutine setup(w, n)
type(ws), intent(out), target :: w
integer, intent(in) :: n
allocate(w%a(n), w%b(n,2))
w%a = 0; w%b = 1
w%view => w%b(:,2)
end subroutine
subroutine f(x,y)
real(8), intent(in) :: x(3)
real(8), intent(out) :: y(3)
type(ws), target :: w
integer :: i
y = x
do i=1,3
 call setup(w, i)
 w%a = y(1:i)
 w%view = w%a**2
 y(1:i) = w%b(:,2)*w%b(:,1) + w%a(i)
end do
end subroutine
end module
