! head: m::f(y)/(x)
! size: n=5
module m
  implicit none
  type parts
    real(8), allocatable :: a(:)
  end type
  type pair
    real(8) :: v(2)
    integer :: k
  end type
  type(parts) :: s
contains
  ! Allocatable results that begin elsewhere than at 1 within their functions: for callers they begin at 1.
  function sums(x) result(r)
    real(8), intent(in) :: x(:)
    real(8), allocatable :: r(:)
    integer :: i
    if (size(x) < 2) then
      allocate(r(0:size(x)-1))
      r = x**3
      return
    end if
    allocate(r(0:size(x)-1))
    r(0) = x(1)**2
    do i = 1, size(x) - 1
      r(i) = r(i-1)*x(i) + x(i+1)**2
    end do
  end function sums
  function twice(x) result(r)
    real(8), intent(in) :: x(:)
    real(8), allocatable :: r(:)
    r = sums(x)
    r = r*sums(2*r)
  end function twice
  function from_callee(x) result(r)
    real(8), intent(in) :: x(:)
    real(8), allocatable :: r(:)
    call give(x, r)
    r(0) = r(0)*r(1)
  end function from_callee
  subroutine give(x, r)
    real(8), intent(in) :: x(:)
    real(8), allocatable, intent(out) :: r(:)
    allocate(r(0:size(x)-1))
    r = sin(x)
  end subroutine give
  function table(x) result(r)
    real(8), intent(in) :: x(:)
    real(8), allocatable :: r(:, :)
    integer :: i
    allocate(r(0:size(x)-1, 2:3))
    do i = 0, size(x) - 1
      r(i, 2) = x(i+1)**2
      r(i, 3) = r(i, 2)*x(1)
    end do
  end function table
  function pairs(x) result(r)
    real(8), intent(in) :: x(:)
    type(pair), allocatable :: r(:)
    integer :: i
    allocate(r(0:size(x)-1))
    do i = 0, size(x) - 1
      r(i)%v = x(i+1)**2
      r(i)%k = i
    end do
  end function pairs
  real(8) function weighted(a)
    real(8), intent(in) :: a(:)
    integer :: i
    weighted = 0
    do i = lbound(a, 1), ubound(a, 1)
      weighted = weighted + i*a(i)**2
    end do
  end function weighted
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), allocatable :: c(:), e(:), t(:, :)
    type(pair), allocatable :: p(:)
    integer :: i
    y = 0
    ! Memory of the result's shape keeps its bounds.
    allocate(c(5:4+n))
    c = sums(x)
    do i = 5, 4 + n
      y(1) = y(1) + i*c(i)**2
    end do
    s%a = sums(x(:1))
    y(2) = s%a(1)
    s%a = twice(x)
    do i = lbound(s%a, 1), ubound(s%a, 1)
      y(2) = y(2) + i*s%a(i)
    end do
    allocate(e, source=sums(x))
    do i = lbound(e, 1), ubound(e, 1)
      y(3) = y(3) + i*e(i)
    end do
    y(4) = weighted(sums(x)) + maxval(sums(x)*x) + dot_product(sums(x), from_callee(x))
    do i = 1, 3
      c = sums(x(i:))
      y(5) = y(5) + c(lbound(c, 1))*c(ubound(c, 1))*lbound(c, 1)
      t = table(c*y(1))
      y(5) = y(5) + t(2, 2)*t(1, 1)
      p = pairs(x(i:))
      y(5) = y(5)*p(1)%v(1) + p(3)%k*p(2)%v(2)
    end do
    c = sums(x(3:2))
    y(1) = y(1)*(1 + size(c))
    deallocate(s%a)
  end subroutine f
end module m
