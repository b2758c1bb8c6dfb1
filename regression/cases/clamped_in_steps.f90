! head: odd(y)/(x)
! head: from_zero(y)/(x)
! head: between(y)/(x)
! head: all_at_once(y)/(x)
! head: downwards(y)/(x)
! size: n=11
! acc: host
! Neighbours that are kept within bounds, in loops whose steps are longer than one.
module clamped_in_steps
  implicit none
contains
  subroutine odd(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    y = 0
    !$acc parallel loop
    do i = 1, n, 2
      y(i) = x(max(i - 2, 1))*x(i)
      if (x(i) > 0.8d0) y(i) = y(i)*x(max(i - 2, 1))
    end do
  end subroutine

  subroutine from_zero(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(0:n-1)
    real(8), intent(out) :: y(0:n-1)
    integer :: i
    y = 1
    !$acc parallel loop
    do i = 0, n - 1, 2
      y(i) = x(max(i - 1, 0))*x(i) + sin(x(min(i + 1, n - 1)))
    end do
  end subroutine

  subroutine between(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, k
    y = x
    do k = 1, 2
      !$acc parallel loop
      do i = k, n, 2
        y(i) = y(i)*x(max(i - 2, k)) + x(min(i + 2, n))**2
      end do
    end do
  end subroutine

  subroutine all_at_once(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    y = 0
    do concurrent (i = 2:n:2)
      y(i) = sin(x(max(i - 3, 1)))*x(i)
    end do
  end subroutine

  subroutine downwards(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    y = 0
    !$acc parallel loop
    do i = n, 1, -2
      y(i) = x(max(i - 2, 1))*x(i)**2
    end do
    !$acc parallel loop
    do i = n, 1, -1
      y(i) = y(i) + x(max(i - 2, 1))*x(min(i + 1, n))
    end do
  end subroutine
end module
