! head: f(y)/(x)
! size: x=7
! acc: host
! Memory of components comes and goes between loops on a device.
module object_memory
  implicit none
  type state
    real(8), allocatable :: h(:), q(:, :)
  end type
  type(state) :: kept
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: y
    integer :: i, it, n
    n = size(x)
    y = 0
    do it = 1, 3
      if (allocated(kept%h)) deallocate(kept%h)
      allocate(kept%h(n + it))
      !$acc parallel loop
      do i = 1, n + it
        kept%h(i) = x(min(i, n))*it
      end do
      y = y + sum(kept%h**2)
    end do
    deallocate(kept%h)
    allocate(kept%q(n, 2))
    !$acc parallel loop
    do i = 1, n
      kept%q(i, 1) = x(i)**2
      kept%q(i, 2) = x(i)
    end do
    y = y + sum(kept%q(:, 1)*kept%q(:, 2))
    deallocate(kept%q)
    allocate(kept%q(2, n))
    !$acc parallel loop
    do i = 1, n
      kept%q(1, i) = x(i)*y
      kept%q(2, i) = x(i)
    end do
    y = sum(kept%q)
    deallocate(kept%q)
  end subroutine
end module
