! head: a(y)/(x, c)
! head: b(y, s)/(x, c)
! head: d(y)/(x, c)
! size: n=5 m=4
! threads: 4
! What is distributed among teams, with loops inside that the threads of each team share out.
module m
  implicit none
contains
  subroutine a(n, m, c, x, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: c, x(n, m)
    real(8), intent(out) :: y(n, m)
    integer :: i, j
    !$omp target map(to: x) map(from: y)
    !$omp teams distribute
    do j = 1, m
      !$omp parallel do
      do i = 1, n
        y(i, j) = x(i, j)*exp(c*x(i, j))
      end do
    end do
    !$omp end target
  end subroutine
  ! With values for the loop inside, a sum of it, and one of all.
  subroutine b(n, m, c, x, y, s)
    integer, intent(in) :: n, m
    real(8), intent(in) :: c, x(n, m)
    real(8), intent(out) :: y(n, m), s
    real(8) :: mean, w
    integer :: i, j
    s = 0
    !$omp target teams distribute private(mean, w) reduction(+: s) map(tofrom: s)
    do j = 1, m
      mean = 0
      !$omp parallel do reduction(+: mean)
      do i = 1, n
        mean = mean + x(i, j)
      end do
      mean = mean/n
      w = sin(mean)*c
      !$omp parallel do
      do i = 1, n
        y(i, j) = (x(i, j) - mean)*w
      end do
      s = s + mean**2
    end do
  end subroutine
  ! Two regions and columns of another array.
  subroutine d(n, m, c, x, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: c, x(n, m)
    real(8), intent(out) :: y(n, m)
    real(8) :: t(n, m), v
    integer :: i, j, k
    !$omp target data map(to: x) map(from: y) map(alloc: t)
    !$omp target teams distribute
    do j = 1, m
      !$omp parallel do private(v, k)
      do i = 1, n
        v = 0
        do k = 1, i
          v = v + x(k, j)*x(i, j)
        end do
        t(i, j) = v
      end do
    end do
    !$omp target teams distribute parallel do collapse(2)
    do j = 1, m
      do i = 1, n
        y(i, j) = t(i, j)**2*c
      end do
    end do
    !$omp end target data
  end subroutine
end module
