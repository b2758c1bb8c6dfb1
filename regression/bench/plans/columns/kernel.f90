! columns: condensation and sedimentation a column at a time, then mixing between columns, step after step
! head: kernel(f,t,q)/(t,q)
! size: nz=6 columns=5 nsteps=4
module physics
  use iso_c_binding, only: c_int, c_double
  implicit none
contains
  subroutine column(nz, t, q)
    integer(c_int), intent(in)    :: nz
    real(c_double), intent(inout) :: t(nz), q(nz)
    real(c_double) :: saturation, excess, rain
    integer :: k
    rain = 0d0
    do k = nz, 1, -1
      saturation = 0.6d0*exp(0.7d0*(t(k) - 1d0))
      excess = q(k) - saturation
      if (excess > 0d0) then
        q(k) = q(k) - 0.3d0*excess
        t(k) = t(k) + 0.2d0*excess
        rain = rain + 0.3d0*excess
      else
        q(k) = q(k) + 0.1d0*rain*(1d0 - q(k)/saturation)
        rain = 0.9d0*rain*sqrt(1d0 + 0.1d0*t(k))
      end if
    end do
  end subroutine
end module

subroutine kernel(nz, columns, nsteps, t, q, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  use physics, only: column
  implicit none
  integer(c_int), intent(in)    :: nz, columns, nsteps
  real(c_double), intent(inout) :: t(nz,columns), q(nz,columns)
  real(c_double), intent(out)   :: f
  real(c_double) :: mixed(nz,columns)
  integer :: j, k, it
  do it = 1, nsteps
    do j = 1, columns
      call column(nz, t(:,j), q(:,j))
    end do
    mixed = q
    do j = 2, columns - 1
      do k = 1, nz
        mixed(k,j) = q(k,j) + 0.1d0*t(k,j)*(q(k,j+1) - 2d0*q(k,j) + q(k,j-1))
      end do
    end do
    q = mixed
  end do
  f = 0d0
  do j = 1, columns
    do k = 1, nz
      f = f + t(k,j)**2 + q(k,j)**2
    end do
  end do
end subroutine
