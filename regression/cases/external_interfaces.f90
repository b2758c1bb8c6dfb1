! head: top(y)/(x)
! size: n=6
! external procedures that need an explicit interface: kinds and types of modules, optional, allocatable, recursion
module kinds
  implicit none
  integer, parameter :: wp = kind(1d0)
  type :: cell
    real(wp) :: u
    real(wp), allocatable :: v(:)
  end type
end module
module faces
  implicit none
  interface
    subroutine grow(a, n)
      use kinds, only: w => wp
      real(w), allocatable, intent(inout) :: a(:)
      integer, intent(in) :: n
    end subroutine
    recursive subroutine scale(a, c, depth)
      use kinds
      real(wp), intent(inout) :: a(:)
      real(wp), intent(in), optional :: c
      integer, value :: depth
    end subroutine
    function total(c) result(t)
      use kinds
      type(cell), intent(in) :: c(:)
      real(wp) :: t
    end function
    elemental subroutine cube(a, b)
      use kinds, only: wp
      real(wp), intent(in) :: a
      real(wp), intent(out) :: b
    end subroutine
  end interface
end module
subroutine grow(a, n)
  use kinds, only: w => wp
  implicit none
  real(w), allocatable, intent(inout) :: a(:)
  integer, intent(in) :: n
  real(w), allocatable :: old(:)
  integer :: i
  allocate(old(size(a)))
  old = a
  deallocate(a)
  allocate(a(n))
  do i = 1, n
    a(i) = old(1 + mod(i, size(old)))**2
  end do
end subroutine
recursive subroutine scale(a, c, depth)
  use kinds
  implicit none
  real(wp), intent(inout) :: a(:)
  real(wp), intent(in), optional :: c
  integer, value :: depth
  if (present(c)) a = a*c
  a = sin(a)
  if (depth > 1) call scale(a(2:), depth=depth-1)
end subroutine
function total(c) result(t)
  use kinds
  implicit none
  type(cell), intent(in) :: c(:)
  real(wp) :: t
  integer :: i
  t = 0
  do i = 1, size(c)
    t = t + c(i)%u*sum(c(i)%v)
  end do
end function
elemental subroutine cube(a, b)
  use kinds, only: wp
  implicit none
  real(wp), intent(in) :: a
  real(wp), intent(out) :: b
  b = a**3
end subroutine
subroutine top(n, x, y)
  use faces
  use kinds
  implicit none
  integer, intent(in) :: n
  real(wp), intent(in) :: x(n)
  real(wp), intent(out) :: y(n)
  real(wp), allocatable :: a(:)
  type(cell) :: c(2)
  integer :: i
  allocate(a(n))
  a = x
  call grow(a, 2*n)
  call scale(a(1:2*n:2), c=x(1), depth=2)
  call scale(a, depth=1)
  do i = 1, 2
    c(i)%u = x(i)
    allocate(c(i)%v(n))
    c(i)%v = a(1:n)
  end do
  call cube(a(n+1:), y)
  y(1) = y(1) + total(c)
end subroutine
