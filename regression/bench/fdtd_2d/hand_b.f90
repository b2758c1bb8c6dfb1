! hand-written adjoint of fdtd_2d: linear, so no forward sweep and no storage; gather form, two passes a step
subroutine kernel_b(nx, ny, tmax, fict, fictb, ex, exb, ey, eyb, hz, hzb, f, fb) bind(C, name="kernel_b")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: nx, ny, tmax
  real(c_double), intent(in)    :: fict(tmax), ex(ny,nx), ey(ny,nx), hz(ny,nx)
  real(c_double), intent(inout) :: fictb(tmax), exb(ny,nx), eyb(ny,nx), hzb(ny,nx), f, fb
  integer :: t, i, j
  exb = exb + fb
  eyb = eyb + fb
  hzb = hzb + fb
  fb = 0d0
  do t = tmax, 1, -1
    do i = 1, nx-1
      exb(1,i) = exb(1,i) + 0.7d0*hzb(1,i)
      do j = 2, ny-1
        exb(j,i) = exb(j,i) + 0.7d0*(hzb(j,i) - hzb(j-1,i))
      end do
      exb(ny,i) = exb(ny,i) - 0.7d0*hzb(ny-1,i)
      if (i == 1) then
        do j = 1, ny-1
          eyb(j,1) = eyb(j,1) + 0.7d0*hzb(j,1)
        end do
      else
        do j = 1, ny-1
          eyb(j,i) = eyb(j,i) + 0.7d0*(hzb(j,i) - hzb(j,i-1))
        end do
      end if
    end do
    do j = 1, ny-1
      eyb(j,nx) = eyb(j,nx) - 0.7d0*hzb(j,nx-1)
    end do
    do i = 1, nx
      hzb(1,i) = hzb(1,i) + 0.5d0*exb(2,i)
      do j = 2, ny-1
        hzb(j,i) = hzb(j,i) + 0.5d0*(exb(j+1,i) - exb(j,i))
      end do
      hzb(ny,i) = hzb(ny,i) - 0.5d0*exb(ny,i)
      if (i > 1) then
        do j = 1, ny
          hzb(j,i) = hzb(j,i) - 0.5d0*eyb(j,i)
        end do
      end if
      if (i < nx) then
        do j = 1, ny
          hzb(j,i) = hzb(j,i) + 0.5d0*eyb(j,i+1)
        end do
      end if
    end do
    do j = 1, ny
      fictb(t) = fictb(t) + eyb(j,1)
      eyb(j,1) = 0d0
    end do
  end do
end subroutine
