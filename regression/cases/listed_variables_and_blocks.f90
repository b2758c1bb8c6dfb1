! head: m::neighbours(y)/(x)
! head: m::blocks(y)/(x)
! size: n=7
! threads: 4
! A loop with a list of all its variables whose adjoint runs in two rounds; blocks of a stencil with limits in arrays.
module m
  implicit none
contains
  subroutine neighbours(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n, 5)
    real(8), intent(out) :: y(n, 5)
    integer :: i, j
    real(8) :: p
    !$omp parallel do default(none) shared(n, x, y) private(i, p) schedule(static)
    do j = 1, 5
      do i = 1, n
        p = x(i, min(j+1, 5)) - x(i, j)
        y(i, j) = sin(p)*x(i, j)
      end do
    end do
  end subroutine
  subroutine blocks(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(0:n+1)
    real(8), intent(out) :: y(n)
    integer :: b, i, lo(3), hi(3)
    lo = [1, 3, 6]
    hi = [2, 5, n]
    !$omp parallel do private(i)
    do b = 1, 3
      do i = lo(b), hi(b)
        y(i) = x(i-1)*x(i) + x(i+1)**2
      end do
    end do
  end subroutine
end module
