! head: m::f(y)/(x)
! size: n=24
! threads: 4
! Work arrays of which each iteration, or each thread, has its own.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, k
    real(8) :: w(5), v(3), u(3)
    real(8), allocatable :: a(:)
    v = x(1)
    !$omp parallel do private(w, k)
    do i = 1, n
      do k = 1, 5
        w(k) = x(i)**k
      end do
      y(i) = 0
      do k = 2, 5
        w(k) = w(k)*w(k - 1)
        y(i) = y(i) + w(k)
      end do
    end do
    !$omp parallel private(u, a, k)
    allocate (a(3))
    !$omp do
    do i = 1, n
      u = y(i)
      do k = 1, 3
        a(k) = u(k)*x(i)
      end do
      y(i) = a(1)*a(2) + a(3)*v(1)
    end do
    !$omp end do
    deallocate (a)
    !$omp end parallel
    !$omp parallel do firstprivate(v)
    do i = 1, n
      v(2) = x(i)
      y(i) = y(i)*v(2)*v(3)
    end do
  end subroutine f
end module m
