! head: f(y)/(x)
! head: f(y)/(x, tables::tab)
! head: mesh_sums(y)/(x)
! head: with_host(y)/(x)
! head: in_objects(y)/(p, x)
! head: elementwise(y)/(x)
! size: n=8
! threads: 4
! Functions and subroutines that iterations call, and that use tables of modules, of objects and of their host.
module tables
  implicit none
  real(8) :: tab(2000) = 1.5d0, gain = 0.7d0
  type :: mesh
    integer, allocatable :: next(:)
    real(8), allocatable :: area(:, :)
    real(8) :: scale = 1.0d0
  end type
  type(mesh) :: grid
  type :: optics
    real(8), allocatable :: weight(:)
    real(8) :: level(3) = 0.5d0
  contains
    procedure :: through
  end type
contains
  pure real(8) function look(k, x)
    integer, intent(in) :: k
    real(8), intent(in) :: x
    look = tab(k)*x + gain*sin(tab(k + 1))*x**2
  end function
  pure subroutine both(k, x, y)
    integer, intent(in) :: k
    real(8), intent(in) :: x
    real(8), intent(inout) :: y
    y = y + look(k, x)*gain
    y = y*look(k + 1, x)
  end subroutine
  pure real(8) function across(i, q)
    integer, intent(in) :: i
    real(8), intent(in) :: q(:)
    integer :: k
    across = 0
    do k = 1, 2
      across = across + grid%area(k, i)*(q(grid%next(i)) - q(i))*grid%scale
    end do
  end function
  pure real(8) function through(self, k, x)
    class(optics), intent(in) :: self
    integer, intent(in) :: k
    real(8), intent(in) :: x
    through = exp(-self%weight(k)*x)*self%level(mod(k, 3) + 1)
  end function
  pure subroutine twice(i, v, r)
    integer, intent(in) :: i
    real(8), intent(in) :: v
    real(8), intent(out) :: r
    real(8) :: t
    t = look(mod(i*i, 5) + 1, v)
    r = t*v + tab(1)*v*gain
  end subroutine
  elemental subroutine bend(x, y)
    real(8), intent(in) :: x
    real(8), intent(inout) :: y
    y = y*x + tab(3)*x**2
  end subroutine
end module
subroutine f(n, x, y)
  use tables
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  real(8) :: t
  integer :: i
  tab(1:3) = tab(1:3)*x(1)
  gain = x(2)
  !$omp parallel do
  do i = 1, n
    y(i) = x(i)
    call both(mod(i, 3) + 1, x(i), y(i))
  end do
  !$omp parallel do private(t)
  do i = 1, n
    call twice(i, x(i), t)
    y(i) = y(i)*t
  end do
  y(1) = y(1)*look(2, x(3))
end subroutine
subroutine mesh_sums(n, x, y)
  use tables
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  integer :: i
  grid%next = [(mod(i, n) + 1, i = 1, n)]
  grid%area = reshape([x**2, sin(x)], [2, n])
  grid%scale = x(3)
  !$omp parallel do
  do i = 1, n
    y(i) = across(i, x)**2
  end do
  deallocate (grid%area, grid%next)
end subroutine
subroutine with_host(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  real(8) :: w(n), s, total
  integer :: i
  w = x**2
  s = x(1)
  !$omp parallel do
  do i = 1, n
    y(i) = x(i)
    call inside(i)
  end do
  total = 0
  !$omp parallel do reduction(+: total)
  do i = 1, n
    total = total + value(i, 2)*y(i)
  end do
  y(n) = y(n)*total
contains
  real(8) function value(k, by)
    integer, intent(in) :: k, by
    value = w(k)*w(mod(k + by - 1, n) + 1)*s
  end function
  subroutine inside(k)
    integer, intent(in) :: k
    integer :: j
    do j = 1, k
      y(k) = y(k) + w(j)**2*s
    end do
  end subroutine
end subroutine
subroutine in_objects(n, p, x, y)
  use tables
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: p(4), x(n)
  real(8), intent(out) :: y(n)
  type(optics) :: o
  integer :: i, k
  o%weight = p
  o%level = p(1:3)**2
  !$omp parallel do private(k)
  do i = 1, n
    y(i) = 1
    do k = 1, 4
      y(i) = y(i)*o%through(k, x(i))
    end do
  end do
end subroutine
subroutine elementwise(n, x, y)
  use tables
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n, 3)
  integer :: i
  tab(3) = x(2)
  !$omp parallel do
  do i = 1, n
    y(i, :) = x(i)
    call bend(x(i), y(i, 2))
    call bend(x(i), y(i, :))
  end do
  call bend(x, y(:, 1))
end subroutine
