! head: m::f(y)/(x)
! lists of objects that change places by move_alloc
module m
implicit none
type patch
 real(8), allocatable :: u(:)
 integer :: n = 0
end type
contains
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
type(patch), allocatable :: a(:), b(:), t(:)
integer :: it, k
allocate(a(2), b(2))
do k = 1, 2
a(k) = patch(x(1:2)*k, k)
b(k) = patch(x(3:4)*k, 2*k)
end do
do it = 1, 3
do k = 1, 2
a(k)%u = a(k)%u*b(k)%u + b(3-k)%u
a(k)%n = a(k)%n + 1
end do
call move_alloc(a, t)
call move_alloc(b, a)
call move_alloc(t, b)
end do
y = a(1)%u*b(2)%n + b(2)%u*a(2)%n
end subroutine
end module
