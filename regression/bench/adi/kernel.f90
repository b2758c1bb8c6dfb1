! adi: alternating direction implicit solver of the 2-D heat equation, f = sum(u)
! the first half step solves along the second index for all i at once, the second one along the first index
subroutine kernel(n, tsteps, u, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n, tsteps
  real(c_double), intent(inout) :: u(n,n)
  real(c_double), intent(out)   :: f
  real(c_double) :: v(n,n), p(n,n), q(n,n)
  real(c_double) :: mul1, mul2, a, b, c, d, e, g
  integer :: t, i, j
  mul1 = 2d0*n*n/tsteps
  mul2 = 1d0*n*n/tsteps
  a = -mul1/2d0
  b = 1d0 + mul1
  c = a
  d = -mul2/2d0
  e = 1d0 + mul2
  g = d
  do t = 1, tsteps
    do i = 2, n-1
      v(i,1) = 1d0
      p(i,1) = 0d0
      q(i,1) = v(i,1)
    end do
    do j = 2, n-1
      do i = 2, n-1
        p(i,j) = -c/(a*p(i,j-1) + b)
        q(i,j) = (-d*u(i-1,j) + (1d0 + 2d0*d)*u(i,j) - g*u(i+1,j) - a*q(i,j-1))/(a*p(i,j-1) + b)
      end do
    end do
    do i = 2, n-1
      v(i,n) = 1d0
    end do
    do j = n-1, 2, -1
      do i = 2, n-1
        v(i,j) = p(i,j)*v(i,j+1) + q(i,j)
      end do
    end do
    do i = 2, n-1
      u(1,i) = 1d0
      p(1,i) = 0d0
      q(1,i) = u(1,i)
      do j = 2, n-1
        p(j,i) = -g/(d*p(j-1,i) + e)
        q(j,i) = (-a*v(j,i-1) + (1d0 + 2d0*a)*v(j,i) - c*v(j,i+1) - d*q(j-1,i))/(d*p(j-1,i) + e)
      end do
      u(n,i) = 1d0
      do j = n-1, 2, -1
        u(j,i) = p(j,i)*u(j+1,i) + q(j,i)
      end do
    end do
  end do
  f = 0d0
  do j = 1, n
    do i = 1, n
      f = f + u(i,j)
    end do
  end do
end subroutine
