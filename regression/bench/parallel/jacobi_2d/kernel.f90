! jacobi_2d: two-array 5-point Jacobi sweep, objective f = sum(a); rows are shared out
subroutine kernel(n, tsteps, a, b, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n, tsteps
  real(c_double), intent(inout) :: a(n,n), b(n,n)
  real(c_double), intent(out)   :: f
  integer :: t, i, j
  do t = 1, tsteps-1
    !$omp parallel do
    do j = 2, n-1
      do i = 2, n-1
        b(i,j) = 0.2d0*(a(i,j) + a(i-1,j) + a(i+1,j) + a(i,j+1) + a(i,j-1))
      end do
    end do
    !$omp parallel do
    do j = 2, n-1
      do i = 2, n-1
        a(i,j) = 0.2d0*(b(i,j) + b(i-1,j) + b(i+1,j) + b(i,j+1) + b(i,j-1))
      end do
    end do
  end do
  f = 0d0
  !$omp parallel do reduction(+: f)
  do j = 1, n
    do i = 1, n
      f = f + a(i,j)
    end do
  end do
end subroutine
