! head: levels::f(y)/(x)
! head: leaves::f(y)/(x)
! head: sorted::f(y)/(x)
! head: cleared::f(y, o)/(x, o)
! head: linked::f(y)/(x)
! lists of objects with memory that called procedures lengthen, shorten, sort and rebuild, in modules and arguments
module levels
implicit none
type cell
  real(8), allocatable :: v(:)
  integer :: n = 0
end type
type level
  type(cell), allocatable :: c(:)
  real(8) :: dx = 1
end type
type(level), allocatable :: grid(:)
contains
subroutine add_level(s)
  real(8), intent(in) :: s(:)
  type(level), allocatable :: g(:)
  integer :: n, i
  n = 0
  if (allocated(grid)) n = size(grid)
  allocate(g(n+1))
  do i = 1, n
    g(i) = grid(i)
  end do
  allocate(g(n+1)%c(n+2))
  do i = 1, n+2
    g(n+1)%c(i)%v = s*i
    g(n+1)%c(i)%n = i
  end do
  g(n+1)%dx = 0.5d0**n*s(1)
  call move_alloc(g, grid)
end subroutine
subroutine refine(l)
  integer, intent(in) :: l
  integer :: i
  do i = 1, size(grid(l)%c)
    if (mod(i,2) == 0) grid(l)%c(i)%v = [grid(l)%c(i)%v, grid(l)%dx]
  end do
end subroutine
subroutine drop()
  if (size(grid) > 2) grid = grid(2:)
end subroutine
subroutine f(x, y)
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y(2)
  integer :: t, l
  if (allocated(grid)) deallocate(grid)
  y = 1
  do t = 1, 4
    call add_level(x*y(1))
    do l = 1, size(grid)
      call refine(l)
      y(1) = y(1) + 0.1d0*sum(grid(l)%c(2)%v)
    end do
    call drop()
    y(2) = y(2)*grid(1)%dx + grid(size(grid))%c(1)%v(t)
  end do
end subroutine
end module
module leaves
implicit none
type leaf
  real(8), allocatable :: a
  real(8), allocatable :: b(:,:)
end type
contains
recursive subroutine build(l, n, z)
  type(leaf), allocatable, intent(inout) :: l(:)
  integer, intent(in) :: n
  real(8), intent(in) :: z(:)
  type(leaf) :: one
  if (n == 0) return
  one%a = z(1)*n
  if (mod(n,2) == 1) then
    allocate(one%b(n,2))
    one%b = z(2)
  end if
  if (allocated(l)) then
    l = [one, l, one]
  else
    l = [one]
  end if
  call build(l, n-1, z*l(1)%a)
end subroutine
subroutine f(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(1)
  type(leaf), allocatable :: l(:)
  integer :: i, k
  y = 0
  do k = 1, 2
    call build(l, 3, x*k)
    do i = 1, size(l)
      y(1) = y(1) + l(i)%a
      if (allocated(l(i)%b)) y(1) = y(1)*0.5d0 + sum(l(i)%b)
    end do
    if (k == 1) deallocate(l)
  end do
end subroutine
end module
module sorted
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
subroutine sort(q)
  type(obj), intent(inout) :: q(:)
  integer :: i, j
  do i = 1, size(q)
    do j = 1, size(q) - 1
      if (size(q(j)%v) > size(q(j+1)%v)) call swap(q(j), q(j+1))
    end do
  end do
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
    call sort(q)
    y(1) = y(1) + q(1)%v(1)*q(2)%v(2)*q(3)%v(3)
    call sort(q(3:1:-1))
    y(1) = y(1) + q(1)%v(1)
  end do
end subroutine
end module
module cleared
implicit none
type obj
  real(8), allocatable :: v(:)
end type
contains
subroutine grow(q, z)
  type(obj), allocatable, intent(inout) :: q(:)
  real(8), intent(in) :: z
  if (.not. allocated(q)) allocate(q(0))
  q = [q, obj([z, z**2])]
end subroutine
subroutine clear(q)
  type(obj), allocatable, intent(out) :: q(:)
end subroutine
subroutine f(x, y, o)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(1)
  real(8), intent(inout) :: o(2)
  type(obj), allocatable :: q(:)
  integer :: i, r
  do r = 1, 2
    do i = 1, 3
      call grow(q, x(i)*o(r))
    end do
    o = o + q(size(q))%v*q(1)%v(2)
    call clear(q)
    if (allocated(q)) o = 0
  end do
  call grow(q, o(1))
  y(1) = q(1)%v(2)
end subroutine
end module
module linked
implicit none
type item
  real(8), allocatable :: q
  integer :: next = 0
end type
type holder
  type(item), allocatable :: it(:)
  integer :: head = 0
end type
type(holder), save :: h
contains
subroutine push(z)
  real(8), intent(in) :: z
  type(item) :: n
  if (.not. allocated(h%it)) allocate(h%it(0))
  n%q = z
  n%next = h%head
  h%it = [h%it, n]
  h%head = size(h%it)
end subroutine
function walk(c) result(s)
  integer, intent(in) :: c
  real(8) :: s
  integer :: i, k
  s = 1
  i = h%head
  k = 0
  do while (i /= 0)
    k = k + 1
    if (k > c) exit
    s = s*0.5d0 + h%it(i)%q*s
    h%it(i)%q = s
    i = h%it(i)%next
  end do
end function
subroutine f(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(2)
  integer :: t, i
  real(8) :: z
  y = 0
  do t = 1, 3
    h = holder()
    do i = 1, t
      call push(x(i)*x(t))
    end do
    h%it(1)%next = 0
    y(1) = y(1) + walk(2)
    y(2) = y(2)*h%it(1)%q
    z = walk(5)
    y(2) = y(2) + z
  end do
end subroutine
end module
