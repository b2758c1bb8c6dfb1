! hand-written adjoint of correlation: the normalised data are all the reverse sweep needs; corr is not computed
subroutine kernel_b(m, n, data, datab, corr, corrb, f, fb) bind(C, name="kernel_b")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: m, n
  real(c_double), intent(inout) :: data(m,n), datab(m,n), corrb(m,m), f, fb
  real(c_double), intent(in)    :: corr(m,m)
  real(c_double) :: mean(m), stddev(m), meanb(m), spreadb(m), s, u
  logical :: constant(m)
  integer :: i, j, k
  mean = 0d0
  stddev = 0d0
  do k = 1, n
    mean = mean + data(:,k)
  end do
  mean = mean/n
  do k = 1, n
    stddev = stddev + (data(:,k) - mean)**2
  end do
  stddev = sqrt(stddev/n)
  constant = stddev <= 0.1d0
  where (constant) stddev = 1d0
  u = sqrt(real(n, c_double))
  do k = 1, n
    data(:,k) = (data(:,k) - mean)/(u*stddev)
  end do
  do j = 1, m
    do i = j+1, m
      corrb(i,j) = corrb(i,j) + corrb(j,i) + 2d0*fb
    end do
    do k = 1, n
      s = 0d0
      !$omp simd reduction(+:s)
      do i = j+1, m
        s = s + data(i,k)*corrb(i,j)
        datab(i,k) = datab(i,k) + data(j,k)*corrb(i,j)
      end do
      datab(j,k) = datab(j,k) + s
    end do
  end do
  corrb = 0d0
  fb = 0d0
  meanb = 0d0
  spreadb = 0d0
  do k = 1, n
    datab(:,k) = datab(:,k)/(u*stddev)
    meanb = meanb - datab(:,k)
    spreadb = spreadb - datab(:,k)*data(:,k)
  end do
  where (constant) spreadb = 0d0
  meanb = meanb/n
  do k = 1, n
    datab(:,k) = datab(:,k) + data(:,k)*spreadb + meanb
  end do
end subroutine
