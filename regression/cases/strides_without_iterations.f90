! head: f(y)/(x, y)
! head: g(y)/(x, y)
! size: n=7
! Loops by numbers whose steps are longer than the way to their limits, which lie behind: no iteration.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i, j
    do j = 1, 0, 2
      y(j) = y(j)**2*x(j)
    end do
    do j = 4, 5, -3
      y(j) = y(j)**2*x(j)
    end do
    do j = 2, 7, 3
      y(j) = y(j)**2*x(j)
      do i = 3, 2, 4
        y(i) = y(i)*y(j)
      end do
      do i = 6, 1, -4
        y(i) = y(i)*x(j)*y(i)
      end do
    end do
    do j = 3, 3, 5
      y(j) = y(j)**2*x(j)
    end do
  end subroutine
  subroutine g(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i, j
    do i = 1, n
      !$omp parallel do
      do j = 1, -1, 3
        y(j) = y(j)**2*x(j)
      end do
      !$omp parallel do
      do j = 1, 6, 4
        y(j) = y(j)**2*x(i)
      end do
    end do
  end subroutine
end module
