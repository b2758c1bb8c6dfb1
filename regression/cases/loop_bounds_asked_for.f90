! head: shrinking::f(y)/(x)
! head: left_early::f(y)/(x)
! head: counting_down::f(y)/(x)
! head: by_size::f(y)/(x)
! head: by_bounds::f(y)/(x)
! loops whose bounds ask for shapes and components that change in them
module shrinking
implicit none
contains
subroutine f(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(1)
  real(8), allocatable :: a(:)
  integer :: i
  y = 1
  a = x
  do i = 1, size(a)
    if (i > size(a)) cycle
    y = y*a(i) + sin(y)
    if (i == 1) a = a(1:2)*y(1)
  end do
end subroutine
end module
module left_early
implicit none
contains
subroutine f(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(1)
  real(8), allocatable :: a(:)
  integer :: i
  allocate(a(2:4))
  a = x
  do i = lbound(a,1), ubound(a,1)
    a(i) = a(i)*a(2)
    if (i == 3) then
      a = [x(1), a(3:4)*a(i), a(2)]
      exit
    end if
  end do
  y(1) = a(1)*a(2) + a(3)*a(4)
end subroutine
end module
module counting_down
implicit none
type l
 real(8), allocatable :: v(:)
 integer :: n = 3
end type
contains
subroutine f(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(1)
  type(l) :: a
  integer :: i
  a%v = x
  do i = a%n, 1, -1
    a%v(i) = a%v(i)*a%v(a%n)
    a%n = a%n - 1
    if (i == 2) exit
  end do
  y(1) = a%v(1)*a%v(2)*a%v(3)
end subroutine
end module
module by_size
implicit none
type l
 real(8), allocatable :: v(:)
 integer :: n = 3
end type
integer :: gn
contains
subroutine f(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(1)
  type(l) :: a
  real(8), allocatable :: w(:)
  real(8) :: v(3)
  integer :: i, n, idx(3)
  a%v = x
  w = x
  v = x
  n = 3
  gn = 3
  idx = 3
  y = 1
  do i = 1, size(w)
    v(i) = v(i)*v(n)*w(1)
    y = y*v(i) + sin(y)
    if (i == 1) w = w(1:2)*y(1)
    
  end do
  y(1) = y(1) + v(1)*v(2)*v(3) + sum(w)
end subroutine
end module
module by_bounds
implicit none
type l
 real(8), allocatable :: v(:)
 integer :: n = 3
end type
integer :: gn
contains
subroutine f(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(1)
  type(l) :: a
  real(8), allocatable :: w(:)
  real(8) :: v(3)
  integer :: i, n, idx(3)
  a%v = x
  w = x
  v = x
  n = 3
  gn = 3
  idx = 3
  y = 1
  do i = lbound(w,1), ubound(w,1)
    v(i) = v(i)*v(n)*w(1)
    y = y*v(i) + sin(y)
    if (i == 2) w = [w(2:3), y(1), w(1)]
    if (i == 2) cycle
  end do
  y(1) = y(1) + v(1)*v(2)*v(3) + sum(w)
end subroutine
end module
