! correlation: correlation matrix of m variables in n samples, f = sum(corr)
! first index is the variable (numpy's fastest axis)
subroutine kernel(m, n, data, corr, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: m, n
  real(c_double), intent(inout) :: data(m,n), corr(m,m)
  real(c_double), intent(out)   :: f
  real(c_double) :: mean(m), stddev(m)
  integer :: i, j, k
  do i = 1, m
    mean(i) = 0d0
    stddev(i) = 0d0
  end do
  do k = 1, n
    do i = 1, m
      mean(i) = mean(i) + data(i,k)
    end do
  end do
  do i = 1, m
    mean(i) = mean(i)/n
  end do
  do k = 1, n
    do i = 1, m
      stddev(i) = stddev(i) + (data(i,k) - mean(i))**2
    end do
  end do
  do i = 1, m
    stddev(i) = sqrt(stddev(i)/n)
    if (stddev(i) <= 0.1d0) stddev(i) = 1d0
  end do
  do k = 1, n
    do i = 1, m
      data(i,k) = (data(i,k) - mean(i))/(sqrt(real(n, c_double))*stddev(i))
    end do
  end do
  do j = 1, m
    corr(j,j) = 1d0
    do i = j+1, m
      corr(i,j) = 0d0
    end do
    do k = 1, n
      do i = j+1, m
        corr(i,j) = corr(i,j) + data(i,k)*data(j,k)
      end do
    end do
    do i = j+1, m
      corr(j,i) = corr(i,j)
    end do
  end do
  f = 0d0
  do j = 1, m
    do i = 1, m
      f = f + corr(i,j)
    end do
  end do
end subroutine
