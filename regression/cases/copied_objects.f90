! head: objects_in_objects::f(y)/(x)
! head: objects_swapped::f(y)/(x)
! head: objects_alone::f(y)/(x)
! head: objects_from_source::f(y)/(x)
! head: objects_from_list::f(y)/(x)
! objects copied where their components have memory of other shapes, or none, and memory made from objects
module objects_in_objects
implicit none
type leaf
  real(8), allocatable :: v(:)
end type
type tree
  type(leaf), allocatable :: k(:)
  real(8) :: w = 0
end type
contains
subroutine f(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(2)
  type(tree) :: a, b, c
  integer :: t, i
  y = 0
  do t = 1, 4
    if (allocated(a%k)) deallocate(a%k)
    allocate(a%k(mod(t,3)+1))
    do i = 1, size(a%k)
      a%k(i)%v = x(1:i)*t + y(1)
    end do
    a%w = x(3)*t
    if (mod(t,2) == 0) then
      c = b
      b = a
    else
      c = a
    end if
    if (allocated(b%k)) y(1) = y(1) + b%k(1)%v(1)*b%w
    if (allocated(c%k)) y(2) = y(2)*c%w + sum(c%k(size(c%k))%v**2)
  end do
end subroutine
end module
module objects_swapped
implicit none
type leaf
  real(8), allocatable :: v(:)
end type
type mid
  type(leaf), allocatable :: k(:)
end type
type top
  type(mid), allocatable :: m(:)
end type
contains
subroutine f(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(2)
  type(top) :: s(2), old
  integer :: t
  y = 0
  allocate(s(1)%m(1), s(2)%m(2))
  allocate(s(1)%m(1)%k(1), s(2)%m(2)%k(2))
  s(1)%m(1)%k(1)%v = x
  s(2)%m(2)%k(1)%v = x(2:3)**2
  s(2)%m(2)%k(2)%v = [x(1)]
  do t = 1, 3
    old = s(1)
    s(1) = s(2)
    s(2) = old
    if (allocated(s(1)%m(1)%k)) s(1)%m(1)%k(1)%v = s(1)%m(1)%k(1)%v*x(2)
    y(1) = y(1) + old%m(size(old%m))%k(1)%v(1)**2
  end do
  y(2) = s(1)%m(2)%k(2)%v(1)
end subroutine
end module
module objects_alone
implicit none
type leaf
  real(8), allocatable :: v
end type
type tree
  type(leaf), allocatable :: k
end type
contains
subroutine f(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(2)
  type(tree) :: a, b, e
  integer :: t
  y = 1
  allocate(a%k)
  a%k%v = x(1)
  do t = 1, 3
    b = a
    a%k%v = a%k%v*b%k%v*x(2)
    y(1) = y(1)*b%k%v
    if (t == 2) then
      b = e
      y(2) = y(2)*x(3)
    end if
    if (.not. allocated(b%k)) y(2) = y(2)*a%k%v
  end do
end subroutine
end module
module objects_from_source
implicit none
type obj
  real(8), allocatable :: v(:)
end type
contains
subroutine f(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(1)
  type(obj), allocatable :: p(:), q(:)
  integer :: i
  allocate(p(3))
  do i = 1, 3
    p(i)%v = [x(i)]
  end do
  allocate(q, source=p(3:1:-1))
  y(1) = q(1)%v(1)*q(2)%v(1)
  deallocate(p)
  call move_alloc(q, p)
  y(1) = y(1)*p(1)%v(1)
end subroutine
end module
module objects_from_list
implicit none
type obj
  real(8), allocatable :: v(:)
end type
contains
subroutine f(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(1)
  type(obj), allocatable :: p(:), q(:)
  integer :: i
  p = [(obj(v=[x(i), x(1)*i]), i=1,3)]
  allocate(q, source=p(3:1:-1))
  y(1) = q(1)%v(1)*q(2)%v(1)
end subroutine
end module
