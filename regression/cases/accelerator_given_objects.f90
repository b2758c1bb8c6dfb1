! head: steps(y,s)/(s)
! head: halves(y,s)/(s,a)
! size: s%h=9 s%hu=9
! value: s%n=9
! acc: host
! Objects that are arguments, whose components have memory of their own: a device gets copies of these, while the host works with
! them, too.
module given_objects
  implicit none
  type state
    integer :: n
    real(8), allocatable :: h(:), hu(:)
  end type
contains
  ! The host works between the loops of the device, too.
  subroutine steps(s, y)
    type(state), intent(inout) :: s
    real(8), intent(out) :: y(s%n)
    real(8) :: total
    integer :: i, it
    do it = 1, 4
      !$acc parallel loop
      do i = 1, s%n
        s%h(i) = s%h(i) + 0.1d0*s%hu(i)*s%h(i)
      end do
      s%h(1) = s%h(2)*s%h(1)
      s%h(s%n) = sum(s%h(1:s%n-1))/s%n
      !$acc parallel loop
      do i = 2, s%n - 1
        s%hu(i) = s%hu(i) + 0.1d0*(s%h(i+1) - s%h(i-1))
      end do
    end do
    total = 0
    !$acc parallel loop copyout(y) reduction(+: total)
    do i = 1, s%n
      y(i) = s%h(i)*s%hu(i)
      total = total + y(i)
    end do
    y(1) = y(1)*total
  end subroutine


  ! One of two objects is used in calls as a whole.
  subroutine halves(s, a, y)
    type(state), intent(inout) :: s
    real(8), intent(in) :: a
    real(8), intent(out) :: y(s%n)
    type(state) :: other
    integer :: i
    other = s
    call scaled(other, a)
    !$acc parallel loop copyout(y)
    do i = 1, s%n
      s%h(i) = s%h(i)*s%hu(i)
      y(i) = s%h(i)**2 + a
    end do
    !$acc parallel loop copy(y)
    do i = 1, s%n
      y(i) = y(i)*other%h(i)
    end do
  end subroutine

  subroutine scaled(s, a)
    type(state), intent(inout) :: s
    real(8), intent(in) :: a
    s%h = a*s%h
  end subroutine
end module
