! Scalars that inner loops of constant bounds set for what follows them.
! head: m::f(y)/(x, y)
! size: n=6 m=5
! threads: 4
module m
  implicit none
contains
  subroutine f(n, m, x, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n, m)
    real(8), intent(inout) :: y(n, m)
    real(8) :: q, r
    integer :: i, j, k
    !$omp parallel do private(q, i, k)
    do j = 1, m
      do i = 1, n
        do k = 1, 3
          q = x(i, j)**k
        end do
        y(i, j) = y(i, j)*q
      end do
    end do
    !$omp parallel do private(r, q, i, k)
    do j = 1, m
      do k = 4, 2, -2
        r = x(1, j)*y(k, j)
        do i = 1, n
          q = r*x(i, j)
          y(i, j) = y(i, j) + 0.1d0*q*q
        end do
      end do
    end do
  end subroutine f
end module m
