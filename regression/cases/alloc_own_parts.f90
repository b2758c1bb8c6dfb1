! Allocatables with lower bounds of their own that are given parts of themselves: the bounds are 1 afterwards.
! head: m::f(y)/(x)
module m
  implicit none
  type t
    real(8), allocatable :: c(:)
  end type
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(4)
    real(8), allocatable :: c(:), e(:,:)
    integer, allocatable :: k(:)
    type(t) :: o
    integer :: i
    allocate(c(2:n+1), source=x)
    c = c(:3)
    y(1) = c(1)*c(2)**2 + lbound(c, 1)
    deallocate(c)
    allocate(c(-1:1), source=x(1:3))
    c = c(1:-1:-2)*c(:0)
    allocate(e(0:1,2:3))
    e(0,:) = c
    e(1,:) = c**2
    e = e(:, 3:3)
    y(2) = c(1)*c(2) + lbound(c, 1) + e(2,1)*e(1,1)
    allocate(k(0:2))
    k = [3, 1, 2]
    k = k(1:)
    y(3) = 0
    do i = 1, 3
      if (allocated(o%c)) deallocate(o%c)
      allocate(o%c(i:i+2))
      o%c = x(1:3)
      o%c = o%c(i:i+1)*x(1)
      y(3) = y(3) + o%c(k(2))*o%c(k(1))**2 + lbound(o%c, 1)
      o%c = o%c
      o%c = [o%c, o%c(2)]
      y(3) = y(3) + o%c(3)
    end do
    deallocate(c)
    allocate(c(0:2), source=x(1:3))
    c = c
    y(4) = c(0)*c(1)
    c = c*2
    y(4) = y(4) + c(2)*lbound(c, 1)
    c = pack(c, c > -10)
    y(4) = y(4) + c(lbound(c, 1))
    c = c(lbound(c, 1)+1:)
    y(4) = y(4) + c(1)*c(2)
  end subroutine
end module
