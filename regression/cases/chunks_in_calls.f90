! head: a(y)/(x, y)
! head: b(y, s)/(x)
! head: c(y)/(x, y)
! size: n=23
! threads: 4
! Loops over chunks whose calls get the arrays whole and the limits of the chunk.
module m
  implicit none
contains
  subroutine change(x, y, lo, hi)
    real(8), intent(in) :: x(:)
    real(8), intent(inout) :: y(:)
    integer, intent(in) :: lo, hi
    integer :: i
    do i = lo, hi
      y(i) = x(i)*y(i)**2 + x(size(x)+1-i)
    end do
  end subroutine
  subroutine a(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: lo
    !$omp parallel do
    do lo = 1, n, 5
      call change(x, y, lo, min(lo+4, n))
    end do
    y = y*y
  end subroutine
  subroutine add_up(x, y, lo, hi, part)
    real(8), intent(in) :: x(:)
    real(8), intent(inout) :: y(:)
    integer, intent(in) :: lo, hi
    real(8), intent(out) :: part
    integer :: i
    part = 0
    do i = lo, hi
      y(i) = x(i)**2 + x(size(x)+1-i)
      part = part + y(i)
    end do
  end subroutine
  subroutine b(x, y, s, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n), s
    integer :: k, lo, hi
    real(8) :: p((n+3)/4)
    !$omp parallel do private(lo, hi)
    do k = 1, size(p)
      lo = 4*(k-1) + 1
      hi = min(4*k, n)
      call add_up(x, y, lo, hi, p(k))
    end do
    s = sum(p)
    y = y/s
  end subroutine
  subroutine c(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: lo, nb
    nb = max(n/4, 1)
    !$omp parallel do
    do lo = 1, n, nb
      call change(x, y, lo, min(lo+nb-1, n))
    end do
  end subroutine
end module
