! hdiff: COSMO horizontal diffusion with flux limiter, f = sum(outf); on a device, one loop after the other
subroutine kernel(ni, nj, nk, inf, outf, coeff, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: ni, nj, nk
  real(c_double), intent(in)    :: inf(ni+4,nj+4,nk), coeff(ni,nj,nk)
  real(c_double), intent(inout) :: outf(ni,nj,nk)
  real(c_double), intent(out)   :: f
  real(c_double) :: lap(ni+2,nj+2,nk), flx(ni+1,nj,nk), fly(ni,nj+1,nk), res
  integer :: i, j, k
  !$acc data copyin(inf, coeff) copyout(outf) create(lap, flx, fly)
  !$acc parallel loop collapse(3) default(present)
  do k = 1, nk
    do j = 1, nj+2
      do i = 1, ni+2
        lap(i,j,k) = 4d0*inf(i+1,j+1,k) - (inf(i+2,j+1,k) + inf(i,j+1,k) &
                                       + inf(i+1,j+2,k) + inf(i+1,j,k))
      end do
    end do
  end do
  !$acc parallel loop collapse(3) default(present) private(res)
  do k = 1, nk
    do j = 1, nj
      do i = 1, ni+1
        res = lap(i+1,j+1,k) - lap(i,j+1,k)
        if (res*(inf(i+2,j+2,k) - inf(i+1,j+2,k)) > 0d0) then
          flx(i,j,k) = 0d0
        else
          flx(i,j,k) = res
        end if
      end do
    end do
  end do
  !$acc parallel loop collapse(3) default(present) private(res)
  do k = 1, nk
    do j = 1, nj+1
      do i = 1, ni
        res = lap(i+1,j+1,k) - lap(i+1,j,k)
        if (res*(inf(i+2,j+2,k) - inf(i+2,j+1,k)) > 0d0) then
          fly(i,j,k) = 0d0
        else
          fly(i,j,k) = res
        end if
      end do
    end do
  end do
  !$acc parallel loop collapse(3) default(present)
  do k = 1, nk
    do j = 1, nj
      do i = 1, ni
        outf(i,j,k) = inf(i+2,j+2,k) - coeff(i,j,k)*(flx(i+1,j,k) - flx(i,j,k) &
                                                   + fly(i,j+1,k) - fly(i,j,k))
      end do
    end do
  end do
  f = 0d0
  !$acc parallel loop collapse(3) default(present) copy(f) reduction(+: f)
  do k = 1, nk
    do j = 1, nj
      do i = 1, ni
        f = f + outf(i,j,k)
      end do
    end do
  end do
  !$acc end data
end subroutine
