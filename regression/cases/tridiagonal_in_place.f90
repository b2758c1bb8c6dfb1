! The Thomas algorithm in place: adjoints use the results of divisions, and what these overwrite is needed further back.
! head: m::columns(x)/(a,b,c,x)
! size: n=5
! value: m=3
module m
  implicit none
contains
  subroutine solve(n, a, b, c, d)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), b(n), c(n)
    real(8), intent(inout) :: d(n)
    integer :: k
    do k = 2, n
      d(k) = d(k) - a(k)*d(k-1)
    end do
    d(n) = d(n)/b(n)
    do k = n - 1, 1, -1
      d(k) = (d(k) - c(k)*d(k+1))/b(k)
    end do
  end subroutine

  subroutine columns(n, m, a, b, c, x)
    integer, intent(in) :: n, m
    real(8), intent(in) :: a(n), c(n)
    real(8), intent(in) :: b(n)
    real(8), intent(inout) :: x(n, m)
    integer :: j
    !$omp parallel do
    do j = 1, m
      call solve(n, a, b + 2, c, x(:, j))
    end do
  end subroutine
end module
