! head: factor(y)/(x)
! head: between(y)/(x)
! head: around(y)/(x)
! size: n=7
! acc: host
! Elements of arrays that stay on a device are passed for scalars: to procedures with loops for the device, and to others that run
! on the host between such loops.
module elements_in_calls
  implicit none
contains
  subroutine scaled(y, n, c)
    integer, intent(in) :: n
    real(8), intent(inout) :: y(n)
    real(8), intent(in) :: c
    integer :: i
    !$acc parallel loop
    do i = 1, n
      y(i) = y(i)*c + sin(c)
    end do
  end subroutine

  subroutine mixed(a, b)
    real(8), intent(inout) :: a
    real(8), intent(in) :: b
    a = a*b + 0.5d0*b
  end subroutine

  subroutine steps(u, n, w)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n), w(n)
    integer :: i
    !$acc parallel loop
    do i = 1, n
      u(i) = u(i)**2
      w(i) = w(i) + u(i)
    end do
    call mixed(u(1), w(n))
    !$acc parallel loop
    do i = 1, n
      w(i) = w(i)*u(i)
    end do
  end subroutine

  subroutine changed(y, w, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: y(n), w(n)
    call scaled(y, n, 0.5d0)
    call mixed(w(2), y(1))
    call scaled(w, n, y(2))
  end subroutine

  subroutine factor(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: w(n)
    integer :: i
    !$acc parallel loop
    do i = 1, n
      w(i) = x(i)**2
      y(i) = x(i)
    end do
    call scaled(y, n, w(2))
    !$acc parallel loop
    do i = 1, n
      y(i) = y(i)*w(i)
    end do
  end subroutine

  subroutine between(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: w(n)
    integer :: i
    !$acc parallel loop
    do i = 1, n
      w(i) = cos(x(i))
      y(i) = x(i)
    end do
    call steps(y, n, w)
    !$acc parallel loop
    do i = 1, n
      y(i) = y(i)*w(i)**2
    end do
  end subroutine

  subroutine around(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: w(n)
    integer :: i
    !$acc parallel loop
    do i = 1, n
      w(i) = x(i)**2
      y(i) = x(i)
    end do
    call changed(y, w, n)
    !$acc parallel loop
    do i = 1, n
      y(i) = y(i)*w(i)
    end do
  end subroutine
end module
