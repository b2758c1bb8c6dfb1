! head: f(y)/(x)
! head: g(y)/(x)
! size: n=7
! value: nt=3
! threads: 4
! Variables of which threads have their own, which each of them sets to the same before loops that only read them: one thread
! sets them in derivative code, and the others get them.
module m
  implicit none
  real(8), save :: fac(4), scale
  integer, save :: stride
  !$omp threadprivate(fac, scale, stride)
contains
  subroutine f(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, k
    !$omp parallel private(k)
    do k = 1, 4
      fac(k) = 1.0d0/dble(k*nt)
    end do
    scale = 0.5d0*nt
    !$omp do
    do i = 1, n
      y(i) = 0
      do k = 4, 1, -1
        y(i) = y(i)*x(i) + fac(k)
      end do
      y(i) = y(i)*scale
    end do
    !$omp end parallel
  end subroutine
  ! In two regions, and with an index.
  subroutine g(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    !$omp parallel
    scale = 2.0d0/nt
    stride = mod(nt, 2) + 1
    !$omp end parallel
    y = 0
    !$omp parallel do
    do i = 1, n - 2
      y(i) = x(i)*x(i + stride)*scale
    end do
  end subroutine
end module
