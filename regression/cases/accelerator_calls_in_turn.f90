! head: alternate(y)/(x)
! head: one_active(y)/(x)
! head: of_module(y)/(x)
! head: asked(y)/(x)
! size: n=6
! acc: host
! Procedures that call each other, or themselves with arguments in another order, and work on arrays on the host and on the device, where
! directives of others have put these.
module calls_in_turn
  implicit none
  real(8), allocatable :: left(:), right(:)
  integer :: levels = 0
contains
  subroutine put(n, x, s)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), s
    allocate(left(n), right(n))
    left = 0.4d0*x + 0.1d0
    right = s*x**2 + 0.5d0
    call enter()
  end subroutine put

  subroutine enter()
    !$acc enter data copyin(left, right)
  end subroutine enter

  subroutine take(n, y)
    integer, intent(in) :: n
    real(8), intent(out) :: y(n)
    !$acc exit data copyout(left, right) finalize
    y = left + right
    deallocate(left, right)
  end subroutine take

  recursive subroutine even(n, u, v, l)
    integer, intent(in) :: n, l
    real(8), intent(inout) :: u(n), v(n)
    integer :: i
    !$acc parallel loop
    do i = 1, n
      u(i) = 0.5d0*sin(u(i)*v(i)) + 0.3d0*u(i)
    end do
    !$acc update self(u) if_present
    u(1) = 0.5d0*u(1) + 0.3d0*u(n)*u(1)
    !$acc update device(u) if_present
    if (l > 0) call odd(n, v, u, l - 1)
    !$acc parallel loop
    do i = 1, n
      v(i) = v(i)*(0.5d0 + 0.3d0*u(n + 1 - i))
    end do
  end subroutine even

  recursive subroutine odd(n, a, b, l)
    integer, intent(in) :: n, l
    real(8), intent(inout) :: a(n), b(n)
    integer :: i
    !$acc update self(a, b) if_present
    do i = 1, n
      a(i) = 0.6d0*a(i) + 0.3d0*b(i)*a(i)
    end do
    !$acc update device(a) if_present
    if (l > 0) call even(n, b, a, l - 1)
    !$acc parallel loop
    do i = 1, n
      b(i) = b(i)*(0.5d0 + 0.3d0*a(i))
    end do
  end subroutine odd

  subroutine alternate(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    call put(n, x, 0.3d0)
    call even(n, left, right, 3)
    call take(n, y)
  end subroutine alternate

  ! In turns one and the other argument has a derivative.
  recursive subroutine swap(n, u, v, l)
    integer, intent(in) :: n, l
    real(8), intent(inout) :: u(n), v(n)
    integer :: i
    !$acc parallel loop
    do i = 1, n
      u(i) = 0.5d0*sin(u(i)*u(i)) + 0.3d0*u(i)
    end do
    !$acc update self(u) if_present
    u(1) = 0.5d0*u(1) + 0.3d0*u(n)*u(1)
    !$acc update device(u) if_present
    if (l > 0) call swap(n, v, u, l - 1)
    !$acc parallel loop
    do i = 1, n
      v(i) = v(i)*(0.5d0 + 0.1d0*v(i))
    end do
  end subroutine swap

  subroutine one_active(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    call put(n, x, 0d0)
    call swap(n, left, right, 3)
    !$acc parallel loop
    do i = 1, n
      left(i) = left(i)*right(i)
    end do
    call take(n, y)
  end subroutine one_active

  ! It has no arguments.
  recursive subroutine descend()
    integer :: i
    !$acc parallel loop
    do i = 1, size(left)
      left(i) = 0.5d0*sin(left(i)*right(i)) + 0.3d0*left(i)
    end do
    !$acc update self(left) if_present
    left(1) = 0.5d0*left(1) + 0.3d0*left(size(left))*left(1)
    !$acc update device(left) if_present
    if (levels > 0) then
      levels = levels - 1
      call descend()
    end if
    !$acc parallel loop
    do i = 1, size(left)
      right(i) = right(i)*(0.5d0 + 0.3d0*left(size(left) + 1 - i))
    end do
  end subroutine descend

  subroutine of_module(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    call put(n, x, 0.3d0)
    levels = 3
    call descend()
    call take(n, y)
  end subroutine of_module

  ! A function that calls itself, in expressions.
  recursive real(8) function summed(n, u, v, l) result(s)
    integer, intent(in) :: n, l
    real(8), intent(inout) :: u(n), v(n)
    integer :: i
    !$acc parallel loop
    do i = 1, n
      u(i) = u(i)*(0.6d0 + 0.2d0*v(n + 1 - i))
    end do
    !$acc update self(u) if_present
    s = sum(u)*0.1d0
    if (l > 0) then
      s = s + summed(n, v, u, l - 1)
      s = s*0.5d0 + summed(n, u, v, l - 1)*0.3d0
    end if
  end function summed

  subroutine asked(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: s
    call put(n, x, 0.3d0)
    s = summed(n, left, right, 2)
    call take(n, y)
    y = y*s
  end subroutine asked
end module calls_in_turn
