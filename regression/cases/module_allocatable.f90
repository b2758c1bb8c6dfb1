! State in allocatable module variables and in allocatable components of one, allocated before the call.
module store
  implicit none

  type cell
    real(8), allocatable :: v(:)
    real(8) :: w = 0
  end type cell

  type state
    real(8), allocatable :: h(:, :)
    real(8) :: s
    type(cell) :: one
    type(cell), allocatable :: many(:)
  end type state

  type(state) :: st
  real(8), allocatable :: work(:)

contains

  subroutine set_up()
    integer :: i
    if (allocated(work)) return
    allocate(st%h(3, 0:3), st%one%v(5), st%many(2), work(8))
    do i = 1, 2
      allocate(st%many(i)%v(3 + i))
      st%many(i)%v = 1
    end do
    st%h = 1
    st%one%v = 2
    work = 0
    st%s = 1
  end subroutine set_up

end module store

module m
  use store, only: st, work
  implicit none

contains

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i

    work(1:n) = x**2
    st%h(2, :) = x(1:4)*st%h(1, :)
    st%one%v = x(1:5)
    do i = 1, 2
      st%many(i)%v(2) = x(i)*work(3)
    end do
    st%s = sum(st%h)
    do i = 1, n
      y(i) = work(i)*st%s + st%one%v(2)*st%many(1)%v(2) + sin(st%many(2)%v(2))
    end do
  end subroutine f

end module m
