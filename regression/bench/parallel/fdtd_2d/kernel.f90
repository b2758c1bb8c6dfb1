! fdtd_2d: 2-D finite-difference time domain (Maxwell), f = sum(ex) + sum(ey) + sum(hz); one region a step
! first index is y (numpy's fastest axis)
subroutine kernel(nx, ny, tmax, fict, ex, ey, hz, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: nx, ny, tmax
  real(c_double), intent(in)    :: fict(tmax)
  real(c_double), intent(inout) :: ex(ny,nx), ey(ny,nx), hz(ny,nx)
  real(c_double), intent(out)   :: f
  integer :: t, i, j
  do t = 1, tmax
    !$omp parallel
    !$omp do
    do j = 1, ny
      ey(j,1) = fict(t)
    end do
    !$omp do
    do i = 2, nx
      do j = 1, ny
        ey(j,i) = ey(j,i) - 0.5d0*(hz(j,i) - hz(j,i-1))
      end do
    end do
    !$omp do
    do i = 1, nx
      do j = 2, ny
        ex(j,i) = ex(j,i) - 0.5d0*(hz(j,i) - hz(j-1,i))
      end do
    end do
    !$omp do
    do i = 1, nx-1
      do j = 1, ny-1
        hz(j,i) = hz(j,i) - 0.7d0*(ex(j+1,i) - ex(j,i) + ey(j,i+1) - ey(j,i))
      end do
    end do
    !$omp end parallel
  end do
  f = 0d0
  !$omp parallel do reduction(+: f)
  do i = 1, nx
    do j = 1, ny
      f = f + ex(j,i) + ey(j,i) + hz(j,i)
    end do
  end do
end subroutine
