! head: m::f(y)/(x)
! size: n=24
! threads: 4
! What stands in a region beside loops.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: w(n), v(n), a, b
    a = 0
    !$omp parallel private(i, b)
    !$omp do
    do i = 1, n
      w(i) = x(i)**2
    end do
    !$omp end do nowait
    !$omp barrier
    !$omp single
    w(1) = w(1)*2
    !$omp end single
    !$omp single
    b = w(2)*x(3)
    !$omp end single copyprivate(b)
    !$omp do
    do i = 1, n
      v(i) = w(i)*x(n + 1 - i)*b
    end do
    !$omp end do
    !$omp master
    a = a + v(1)
    !$omp end master
    !$omp barrier
    !$omp sections
    !$omp section
    v(1) = sin(v(1))
    !$omp section
    v(2) = cos(v(2))
    !$omp end sections
    !$omp workshare
    y = v*w
    y(3) = y(3) + a
    !$omp end workshare
    !$omp flush
    !$omp end parallel
    !$omp parallel sections
    !$omp section
    y(1) = y(1)*x(1)
    !$omp section
    y(2) = y(2)*x(2)
    !$omp end parallel sections
    !$omp parallel workshare
    y(5:n) = y(5:n)*w(5:n)
    !$omp end parallel workshare
  end subroutine f
end module m
