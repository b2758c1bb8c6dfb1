! Time loops whose state is an array of objects with allocatable components, arrays of objects with such components among
! them: snapshots take them element by element.
! head: m::revolved(x)/(x)
! head: m::two_level(x)/(x)
! head: m::online(x)/(x)
module m
  implicit none
  type layer
    real(8), allocatable :: t(:)
    real(8) :: d = 1
  end type
  type column
    type(layer), allocatable :: l(:)
    type(layer) :: fixed(0:1)
    real(8) :: q(2) = 0
  end type
contains
  subroutine start(c, x)
    type(column), intent(inout) :: c(:)
    real(8), intent(in) :: x(4)
    integer :: i, k
    do i = 1, size(c)
      allocate (c(i)%l(2), c(i)%fixed(0)%t(2))
      do k = 1, 2
        allocate (c(i)%l(k)%t(0:1))
        c(i)%l(k)%t = x(2*i-1:2*i)*k
        c(i)%l(k)%d = x(1)
      end do
      c(i)%fixed(0)%t = x(3)
      c(i)%q = x(i)
    end do
  end subroutine
  subroutine step(c)
    type(column), intent(inout) :: c(:)
    integer :: i, k
    do i = 1, size(c)
      do k = 1, size(c(i)%l)
        c(i)%l(k)%t(:) = c(i)%l(k)%t + 0.1d0*c(i)%q(k)*sin(c(i)%l(k)%t)
        c(i)%q(k) = c(i)%q(k)*0.9d0 + sum(c(i)%l(k)%t)*0.1d0*c(i)%l(k)%d*c(i)%fixed(0)%t(1)
      end do
      c(i)%fixed(1)%d = c(i)%fixed(1)%d*c(i)%q(1)
      c(i)%fixed(0)%t(:) = c(i)%fixed(0)%t*c(i)%fixed(1)%d
    end do
  end subroutine
  subroutine finish(c, x)
    type(column), intent(in) :: c(:)
    real(8), intent(inout) :: x(4)
    integer :: i
    do i = 1, size(c)
      x(2*i-1:2*i) = c(i)%l(1)%t*c(i)%l(2)%t + c(i)%q*c(i)%fixed(1)%d
    end do
  end subroutine
  subroutine revolved(x)
    real(8), intent(inout) :: x(4)
    type(column) :: c(2)
    integer :: it
    call start(c, x)
    !$ad checkpoint schedule(revolve) snapshots(2)
    do it = 1, 6
      call step(c)
    end do
    call finish(c, x)
  end subroutine
  subroutine two_level(x)
    real(8), intent(inout) :: x(4)
    type(column), allocatable :: c(:)
    integer :: it
    allocate (c(2))
    call start(c, x)
    !$ad checkpoint schedule(two-level) snapshots(2)
    do it = 1, 6
      call step(c)
    end do
    call finish(c, x)
  end subroutine
  subroutine online(x)
    real(8), intent(inout) :: x(4)
    type(column), allocatable :: c(:)
    allocate (c(2))
    call start(c, x)
    !$ad checkpoint schedule(online) snapshots(3)
    do while (c(1)%q(1) > 0.01d0 .and. c(1)%l(1)%t(0) < 3)
      call step(c)
    end do
    call finish(c, x)
  end subroutine
end module
