! head: a(mx, mn)/(x)
! head: b(p, mx)/(x, p)
! head: c(mx, y)/(x)
! size: n=11
! threads: 4
! Maxima, minima and products that threads form by turns, with little else to do, or with more.
module m
  implicit none
  real(8) :: top
contains
  subroutine a(x, mx, mn, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: mx, mn
    integer :: i
    mx = -1d30; mn = 1d30
    !$omp parallel do
    do i = 1, n
      !$omp atomic
      mx = max(mx, x(i))
      !$omp atomic
      mn = min(x(i), mn)
    end do
  end subroutine
  subroutine b(x, p, mx, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: p
    real(8), intent(out) :: mx
    integer :: i
    top = -1
    !$omp parallel
    !$omp do
    do i = 1, n
      !$omp atomic
      p = p*x(i)
      if (mod(i, 2) == 0) then
        !$omp critical
        if (x(i) > top) top = x(i)
        !$omp end critical
      end if
    end do
    !$omp end parallel
    mx = top**2
  end subroutine
  ! Two at once, with other work.
  subroutine c(x, mx, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: mx, y(n)
    integer :: i
    mx = 0
    !$omp parallel do
    do i = 1, n
      y(i) = 2*x(i)
      !$omp critical
      mx = max(mx, x(i))
      mx = max(mx, x(n + 1 - i))
      !$omp end critical
    end do
  end subroutine
end module
