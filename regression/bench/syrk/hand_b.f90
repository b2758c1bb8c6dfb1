! hand-written adjoint of syrk: no forward sweep, as c is not needed
subroutine kernel_b(m, n, alpha, beta, c, cb, a, ab, f, fb) bind(C, name="kernel_b")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: m, n
  real(c_double), intent(in)    :: alpha, beta, c(n,n), a(n,m)
  real(c_double), intent(inout) :: cb(n,n), ab(n,m), f, fb
  real(c_double) :: s, u
  integer :: i, j, k
  do j = 1, n
    do i = j, n
      cb(i,j) = cb(i,j) + fb
    end do
  end do
  fb = 0d0
  do j = 1, n
    do k = 1, m
      u = alpha*a(j,k)
      s = 0d0
      !$omp simd reduction(+:s)
      do i = j, n
        s = s + cb(i,j)*a(i,k)
        ab(i,k) = ab(i,k) + u*cb(i,j)
      end do
      ab(j,k) = ab(j,k) + alpha*s
    end do
    do i = j, n
      cb(i,j) = beta*cb(i,j)
    end do
  end do
end subroutine
