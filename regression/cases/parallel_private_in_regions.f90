! head: m::f(y)/(x)
! size: n=9 m=4
! threads: 4
! Arrays that each thread of a region has: those that get their memory there, of which each iteration has its own values, and
! tables that its first iteration sets up.
module m
  implicit none
contains
  subroutine f(n, m, x, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(m, n)
    real(8), intent(out) :: y(m, n)
    real(8), allocatable :: w(:), z(:)
    real(8) :: v(m), table(3), later(3)
    integer :: i, k
    logical :: first
    !$omp parallel private(w, z, k)
    allocate (w(m), z(0:m))
    !$omp do
    do i = 1, n
      z(0) = 0
      do k = 1, m
        w(k) = x(k, i)**2
        z(k) = z(k - 1) + w(k)*z(k - 1) + x(k, i)
      end do
      where (w > 0.5d0)
        w = w*2
      elsewhere
        w = sin(w)
      end where
      y(:, i) = w*z(m)
    end do
    deallocate (w, z)
    !$omp end parallel
    !$omp parallel private(v, k)
    !$omp do schedule(dynamic, 2)
    do i = 1, n
      do k = 1, m
        v(k) = x(k, i)*y(k, i)
      end do
      do k = 2, m
        v(k) = v(k)*v(k - 1)
      end do
      y(:, i) = y(:, i) + v(m)*v
    end do
    !$omp end parallel
    first = .true.
    !$omp parallel do private(table, k) firstprivate(first)
    do i = 1, n
      if (first) then
        do k = 1, 3
          table(k) = x(k, k)**2
        end do
        first = .false.
      end if
      y(1, i) = y(1, i) + table(1)*table(2)*x(1, i) + table(3)
    end do
    !$omp parallel private(later, first, k)
    first = .true.
    !$omp do
    do i = 1, n
      if (first) then
        do k = 1, 3
          later(k) = sin(x(k, k))
        end do
        first = .false.
      end if
      y(2, i) = y(2, i)*later(1) + later(2)*x(2, i)*later(3)
    end do
    !$omp end parallel
  end subroutine
end module
