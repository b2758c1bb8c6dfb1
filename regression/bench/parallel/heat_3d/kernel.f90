! heat_3d: two-array 7-point heat equation, objective f = sum(a); planes and rows are shared out
subroutine kernel(n, tsteps, a, b, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n, tsteps
  real(c_double), intent(inout) :: a(n,n,n), b(n,n,n)
  real(c_double), intent(out)   :: f
  integer :: t, i, j, k
  do t = 1, tsteps-1
    !$omp parallel do collapse(2)
    do k = 2, n-1
      do j = 2, n-1
        do i = 2, n-1
          b(i,j,k) = 0.125d0*(a(i+1,j,k) - 2d0*a(i,j,k) + a(i-1,j,k)) &
                   + 0.125d0*(a(i,j+1,k) - 2d0*a(i,j,k) + a(i,j-1,k)) &
                   + 0.125d0*(a(i,j,k+1) - 2d0*a(i,j,k) + a(i,j,k-1)) &
                   + a(i,j,k)
        end do
      end do
    end do
    !$omp parallel do collapse(2)
    do k = 2, n-1
      do j = 2, n-1
        do i = 2, n-1
          a(i,j,k) = 0.125d0*(b(i+1,j,k) - 2d0*b(i,j,k) + b(i-1,j,k)) &
                   + 0.125d0*(b(i,j+1,k) - 2d0*b(i,j,k) + b(i,j-1,k)) &
                   + 0.125d0*(b(i,j,k+1) - 2d0*b(i,j,k) + b(i,j,k-1)) &
                   + b(i,j,k)
        end do
      end do
    end do
  end do
  f = 0d0
  !$omp parallel do collapse(2) reduction(+: f)
  do k = 1, n
    do j = 1, n
      do i = 1, n
        f = f + a(i,j,k)
      end do
    end do
  end do
end subroutine
