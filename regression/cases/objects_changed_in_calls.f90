! head: slots::f(y)/(x)
! head: swapped_objects::f(y)/(x)
! head: swapped_components::f(y)/(x)
! head: outputs::f(y)/(x)
! head: nodes::f(y)/(x)
! objects whose components called procedures give other memory, elements of one array among them
module slots
implicit none
type obj
  real(8), allocatable :: v(:)
end type
type pool
  type(obj) :: slot(4)
  integer :: used = 0
end type
contains
subroutine take(p, s, k)
  type(pool), intent(inout) :: p
  real(8), intent(in) :: s(:)
  integer, intent(out) :: k
  p%used = p%used + 1
  k = p%used
  p%slot(k)%v = s
end subroutine
subroutine reset(p)
  type(pool), intent(out) :: p
  p%used = 0
end subroutine
subroutine f(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(1)
  type(pool) :: p, fresh
  integer :: k, t
  y = 0
  do t = 1, 3
    call take(p, x(1:t), k)
    y(1) = y(1) + sum(p%slot(k)%v)**2
    call take(p, x(t:t)*y(1), k)
    y(1) = y(1)*p%slot(k-1)%v(1) + p%slot(k)%v(1)
    if (mod(t,2) == 0) p = fresh
  end do
end subroutine
end module
module swapped_objects
implicit none
type obj
  real(8), allocatable :: v(:)
end type
contains
subroutine swap(a, b)
  type(obj), intent(inout) :: a, b
  type(obj) :: t
  t = a
  a = b
  b = t
end subroutine
subroutine f(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(1)
  type(obj) :: q(3)
  integer :: t
  y = 1
  do t = 1, 2
    q(1)%v = x*y(1)
    q(2)%v = x(1:1)**2
    q(3)%v = x(2:3)*x(t)
    call swap(q(1), q(2))
    call swap(q(2), q(3))
    y(1) = y(1) + q(1)%v(1)*q(2)%v(2)*q(3)%v(3)
    call swap(q(t), q(t+1))
    y(1) = y(1) + q(1)%v(1) + sum(q(2)%v)
  end do
end subroutine
end module
module swapped_components
implicit none
contains
subroutine swap(a, b)
  real(8), allocatable, intent(inout) :: a(:), b(:)
  real(8), allocatable :: t(:)
  t = a
  a = b
  b = t
end subroutine
subroutine f(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(1)
  type obj
    real(8), allocatable :: v(:)
  end type
  type(obj) :: q(3)
  integer :: t
  y = 1
  do t = 1, 2
    q(1)%v = x*y(1)
    q(2)%v = x(1:1)**2
    q(3)%v = x(2:3)*x(t)
    call swap(q(1)%v, q(2)%v)
    call swap(q(2)%v, q(3)%v)
    y(1) = y(1) + q(1)%v(1)*q(2)%v(2)*q(3)%v(3)
    q(t)%v = q(t)%v*x(2)
    call swap(q(t)%v, q(t+1)%v)
    y(1) = y(1) + q(1)%v(1) + sum(q(2)%v)
  end do
end subroutine
end module
module outputs
implicit none
type leaf
  real(8), allocatable :: d(:)
  integer :: n = 0
end type
type branch
  type(leaf), allocatable :: l(:)
  real(8), allocatable :: s
end type
contains
subroutine fill(b, x, k)
  type(branch), intent(out) :: b(:)
  real(8), intent(in) :: x(:)
  integer, intent(in) :: k
  integer :: i, j
  do i = 1, size(b)
    allocate(b(i)%l(i-1+k))
    do j = 1, size(b(i)%l)
      b(i)%l(j)%n = j
      b(i)%l(j)%d = [(x(mod(i+j+k,3)+1)*j, j=1,j)]
    end do
    if (i > 1) b(i)%s = x(i)**2
  end do
end subroutine
subroutine f(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(3)
  type(branch) :: b(3)
  integer :: t, i, j
  y = x
  do t = 0, 2
    call fill(b, y*0.5d0, t)
    do i = 1, 3
      do j = 1, size(b(i)%l)
        y(i) = y(i) + sin(sum(b(i)%l(j)%d))/b(i)%l(j)%n
      end do
      if (allocated(b(i)%s)) y(i) = y(i)*b(i)%s
    end do
  end do
end subroutine
end module
module nodes
implicit none
type leaf
  real(8), allocatable :: v(:)
end type
type node
  type(leaf), allocatable :: k(:)
  real(8) :: w = 1d0
end type
contains
function mknode(x, n) result(o)
  real(8), intent(in) :: x(:)
  integer, intent(in) :: n
  type(node) :: o
  integer :: i
  allocate(o%k(n))
  do i = 1, n
    o%k(i)%v = x(i:)*n
  end do
  if (n > 1) o%w = x(n)
end function
subroutine addk(o, l)
  type(node), intent(inout) :: o
  type(leaf), intent(in) :: l
  type(leaf) :: c
  c = l
  c%v = c%v*o%w
  o%k(size(o%k)) = c
  o%w = o%w + sum(c%v)
end subroutine
subroutine f(x, y)
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y(2)
  type(node), allocatable :: a(:), s(:)
  type(node) :: o
  integer :: i, t
  allocate(a(3))
  do i = 1, 3
    a(i) = mknode(x, i)
  end do
  do t = 1, 2
    call addk(a(t), a(t+1)%k(2))
    call addk(a(3), a(t)%k(1))
    s = a(t:t+1)
    s(1)%k(1)%v = s(2)%k(1)%v(1)*x(2:3)
    s(2)%w = s(2)%w*s(1)%w
    o = mknode(x*s(2)%w*0.1d0, 3)
    deallocate(s)
  end do
  y(1) = a(1)%w*a(2)%w + a(3)%w
  y(2) = sum(o%k(2)%v) + sum(a(3)%k(3)%v)
end subroutine
end module
