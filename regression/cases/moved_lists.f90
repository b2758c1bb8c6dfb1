! head: m::f(y)/(x)
! a list of objects that grows by move_alloc
module m
implicit none
type patch
 real(8), allocatable :: u(:)
 real(8) :: s = 2
end type
contains
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
type(patch), allocatable :: p(:), tmp(:)
integer :: i, k
allocate(p(1))
allocate(p(1)%u(2))
p(1)%u = x(1:2)
p(1)%s = x(3)
do i = 2, 3
  allocate(tmp(i))
  do k = 1, i-1
    tmp(k) = p(k)
  end do
  allocate(tmp(i)%u(i))
  tmp(i)%u = x(i)*p(1)%u(1)
  tmp(i)%s = p(i-1)%s*x(i)
  call move_alloc(tmp, p)
end do
y(1) = sum(p(3)%u)*p(2)%s
y(2) = p(3)%s*p(1)%u(2)
end subroutine
end module
