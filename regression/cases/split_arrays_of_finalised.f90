! Split calls of procedures whose local arrays have allocatable components and final procedures: the record holds their
! memory, so that no object ends on the way. The calls stand in a loop, where each finds fresh objects.
! head: m::f(y)/(x)
! calls: split
module m
  implicit none
  type r
    real(8) :: scale = 1
    real(8), allocatable :: d(:)
  contains
    final :: end_one, end_row
  end type
contains
  subroutine end_one(t)
    type(r), intent(inout) :: t
    if (allocated(t%d)) deallocate (t%d)
  end subroutine
  subroutine end_row(t)
    type(r), intent(inout) :: t(:)
    integer :: i
    do i = 1, size(t)
      if (allocated(t(i)%d)) deallocate (t(i)%d)
    end do
  end subroutine
  subroutine fixed(x, s)
    real(8), intent(in) :: x
    real(8), intent(inout) :: s
    type(r) :: c(2)
    allocate (c(2)%d(0:2), c(1)%d(2))
    c(2)%d = x
    c(1)%d = x*s
    s = s*c(2)%d(1)*c(2)%scale + c(1)%d(2)*c(1)%scale
    c(1)%scale = s
  end subroutine
  subroutine sized(x, s, n)
    real(8), intent(in) :: x
    real(8), intent(inout) :: s
    integer, intent(in) :: n
    type(r) :: c(0:n)
    integer :: i
    do i = 0, n
      allocate (c(i)%d(0:i))
      c(i)%d = x*i
    end do
    do i = 1, n
      c(i)%scale = c(i-1)%scale*x
      s = s + c(i)%d(1)*c(i-1)%d(0)*c(i)%scale
    end do
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    integer :: k
    y = 1
    do k = 1, 3
      call fixed(x, y)
      call sized(0.5d0*x, y, k)
    end do
  end subroutine
end module
