! hand-written adjoint of cholesky: the factor is all the reverse sweep needs, so no tape
subroutine kernel_b(n, a, ab, f, fb) bind(C, name="kernel_b")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n
  real(c_double), intent(inout) :: a(n,n), ab(n,n), f, fb
  real(c_double) :: d, s, u
  integer :: i, j, k
  do k = 1, n
    a(k,k) = sqrt(a(k,k))
    do i = k+1, n
      a(i,k) = a(i,k)/a(k,k)
    end do
    do j = k+1, n
      do i = j, n
        a(i,j) = a(i,j) - a(i,k)*a(j,k)
      end do
    end do
  end do
  do j = 1, n
    do i = j, n
      ab(i,j) = ab(i,j) + fb
    end do
  end do
  fb = 0d0
  do k = n, 1, -1
    do j = k+1, n
      u = a(j,k)
      s = 0d0
      !$omp simd reduction(+:s)
      do i = j, n
        s = s + a(i,k)*ab(i,j)
        ab(i,k) = ab(i,k) - u*ab(i,j)
      end do
      ab(j,k) = ab(j,k) - s
    end do
    d = a(k,k)
    s = 0d0
    !$omp simd reduction(+:s)
    do i = k+1, n
      ab(i,k) = ab(i,k)/d
      s = s + ab(i,k)*a(i,k)
    end do
    ab(k,k) = (ab(k,k) - s)/(2d0*d)
  end do
end subroutine
