! head: m::f(y)/(x)
! size: n=24
! threads: 4
! Regions for a device, which is the host where there is none.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: s
    s = 0
    !$omp target teams distribute parallel do map(to: x) map(from: y)
    do i = 1, n
      y(i) = x(i)**2
    end do
    !$omp end target teams distribute parallel do
    !$omp target data map(to: x) map(tofrom: y)
    !$omp target teams distribute parallel do reduction(+: s) map(tofrom: s)
    do i = 1, n
      s = s + y(i)*x(i)
    end do
    !$omp target update from(y)
    !$omp target
    !$omp parallel do
    do i = 2, n - 1
      y(i) = y(i)*s + x(i - 1)*x(i + 1)
    end do
    !$omp end target
    !$omp end target data
    !$omp target enter data map(to: y)
    !$omp target
    !$omp teams distribute
    do i = 1, n
      y(i) = y(i)*x(i)
    end do
    !$omp end target
    !$omp target exit data map(from: y)
  end subroutine f
end module m
