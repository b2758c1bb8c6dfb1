! Loops of vector operations that add to one element, in a loop that threads share out: each thread has sums of its own.
! head: m::f(y)/(x)
! size: n=40
! threads: 4
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i, j
    !$omp parallel do private(i)
    do j = 1, n
      y(j) = 0.1d0*y(j)
      !$omp simd
      do i = 1, n
        y(j) = y(j) + x(i)*x(j)/n
      end do
      y(j) = sqrt(1d0 + y(j)**2)
    end do
  end subroutine
end module
