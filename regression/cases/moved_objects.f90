! head: m::f(y)/(x)
! objects that move: in modules, scalars, with components that have no memory, without derivatives
module m
implicit none
type info
 integer, allocatable :: ids(:)
 character(4) :: name = 'none'
end type
type patch
 real(8), allocatable :: u(:)
 type(info) :: i
end type
type(patch), allocatable :: store(:)
contains
subroutine grow(v)
real(8), intent(in) :: v
type(patch), allocatable :: tmp(:)
integer :: n
n = 0
if (allocated(store)) n = size(store)
allocate(tmp(0:n))
if (n > 0) tmp(0:n-1) = store
if (mod(n,2) == 0) then
allocate(tmp(n)%u(2))
tmp(n)%u = v
end if
tmp(n)%i%ids = [n, n+1]
tmp(n)%i%name = 'abcd'
call move_alloc(tmp, store)
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
type(patch), allocatable :: p, q
type(info), allocatable :: l(:), k(:)
integer :: i
do i = 1, 4
call grow(x(i)*i)
end do
y(1) = 0
do i = lbound(store,1), ubound(store,1)
if (allocated(store(i)%u)) y(1) = y(1) + sum(store(i)%u**2)*store(i)%i%ids(2)
end do
y(1) = y(1)*lbound(store,1) + y(1)
allocate(p)
p%u = x(1:3)
call move_alloc(p, q)
if (allocated(p)) y(1) = 0
q%u = q%u*x(4)
y(2) = sum(q%u)
allocate(l(2))
l(1)%ids = [4, 5]
call move_alloc(from=l, to=k)
y(2) = y(2)*k(1)%ids(2)
deallocate(store)
end subroutine
end module
