! head: m::f(y,z)/(x)
! size: n=20
! threads: 4
! Sums that derivative code makes in loops inside: in pure procedures, in nests that are shared out together, under
! `default(none)`.
module m
  implicit none
contains
  pure subroutine column(k, a, c, b)
    integer, intent(in) :: k
    real(8), intent(in) :: a(k), c
    real(8), intent(out) :: b(k)
    integer :: i
    do i = 1, k
      b(i) = a(i)*c
    end do
  end subroutine column
  subroutine f(n, x, y, z)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n, n)
    real(8), intent(out) :: y(n, n), z(n, n)
    real(8) :: c
    integer :: i, j
    c = x(1, 2)
    !$omp parallel do collapse(2)
    do j = 1, n
      do i = 1, n
        y(i, j) = c*x(i, j)**2
      end do
    end do
    !$omp parallel do default(none) shared(n, x, z, c)
    do j = 1, n
      do i = 1, n
        z(i, j) = c*x(i, j)
      end do
    end do
    !$omp parallel do
    do j = 1, n
      call column(n, z(:, j), x(j, j), y(:, j))
    end do
  end subroutine f
end module m
