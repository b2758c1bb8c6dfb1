! head: called(y,s)/(s,x)
! head: twice(y,s)/(s,x)
! head: returns(y,s)/(s,x)
! size: s%h=7 s%q=7,3 x=7
! value: s%n=7
! acc: host
! Components of objects on a device, some of them in called procedures, in branches, and numbers that change between loops.
module object_calls
  implicit none
  type state
    integer :: n
    real(8) :: rate
    real(8), allocatable :: h(:), q(:, :)
  end type
contains
  subroutine called(s, x, y)
    type(state), intent(inout) :: s
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: y
    integer :: i, k
    do k = 1, 3
      !$acc parallel loop
      do i = 1, s%n
        s%h(i) = s%h(i) + s%rate*x(i)*s%q(i, k)
      end do
      call smooth(s%n, s%h)
      call smooth(s%n, s%q(:, k))
      s%rate = s%rate*0.9d0 + 0.01d0*s%h(2)
    end do
    y = 0
    !$acc parallel loop reduction(+: y)
    do i = 1, s%n
      y = y + s%h(i)*s%q(i, 2)
    end do
  end subroutine

  subroutine smooth(n, h)
    integer, intent(in) :: n
    real(8), intent(inout) :: h(n)
    real(8) :: old(n)
    integer :: i
    old = h
    !$acc parallel loop
    do i = 2, n - 1
      h(i) = 0.5d0*old(i) + 0.25d0*(old(i-1)*old(i) + old(i+1))
    end do
  end subroutine

  ! The object is passed as a whole between loops.
  subroutine twice(s, x, y)
    type(state), intent(inout) :: s
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: y(size(x))
    integer :: i
    !$acc parallel loop
    do i = 1, s%n
      s%h(i) = s%h(i)*x(i)
    end do
    call sharpen(s)
    !$acc parallel loop
    do i = 1, s%n
      y(i) = s%h(i)**2
    end do
  end subroutine

  subroutine sharpen(s)
    type(state), intent(inout) :: s
    s%h(1:s%n) = s%h(1:s%n)*s%rate
    s%rate = s%h(1)
  end subroutine

  subroutine returns(s, x, y)
    type(state), intent(inout) :: s
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: y(size(x))
    integer :: i
    y = x
    if (s%rate > 5d0) return
    if (s%rate > 0d0) then
      !$acc parallel loop
      do i = 1, s%n
        s%q(i, 1) = s%q(i, 1)*x(i)
      end do
    else
      s%q(2, 1) = x(1)*s%q(3, 1)
    end if
    !$acc parallel loop
    do i = 1, s%n
      s%h(i) = s%q(i, 1)*s%q(i, 2) + x(i)
      y(i) = y(i)*s%h(i)
    end do
  end subroutine
end module
