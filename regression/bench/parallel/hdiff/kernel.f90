! hdiff: COSMO horizontal diffusion with flux limiter, f = sum(outf); levels are shared out
subroutine kernel(ni, nj, nk, inf, outf, coeff, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: ni, nj, nk
  real(c_double), intent(in)    :: inf(ni+4,nj+4,nk), coeff(ni,nj,nk)
  real(c_double), intent(inout) :: outf(ni,nj,nk)
  real(c_double), intent(out)   :: f
  real(c_double) :: lap(ni+2,nj+2), flx(ni+1,nj), fly(ni,nj+1), res
  integer :: i, j, k
  !$omp parallel do private(lap, flx, fly, res)
  do k = 1, nk
    do j = 1, nj+2
      do i = 1, ni+2
        lap(i,j) = 4d0*inf(i+1,j+1,k) - (inf(i+2,j+1,k) + inf(i,j+1,k) &
                                       + inf(i+1,j+2,k) + inf(i+1,j,k))
      end do
    end do
    do j = 1, nj
      do i = 1, ni+1
        res = lap(i+1,j+1) - lap(i,j+1)
        if (res*(inf(i+2,j+2,k) - inf(i+1,j+2,k)) > 0d0) then
          flx(i,j) = 0d0
        else
          flx(i,j) = res
        end if
      end do
    end do
    do j = 1, nj+1
      do i = 1, ni
        res = lap(i+1,j+1) - lap(i+1,j)
        if (res*(inf(i+2,j+2,k) - inf(i+2,j+1,k)) > 0d0) then
          fly(i,j) = 0d0
        else
          fly(i,j) = res
        end if
      end do
    end do
    do j = 1, nj
      do i = 1, ni
        outf(i,j,k) = inf(i+2,j+2,k) - coeff(i,j,k)*(flx(i+1,j) - flx(i,j) &
                                                   + fly(i,j+1) - fly(i,j))
      end do
    end do
  end do
  f = 0d0
  !$omp parallel do collapse(2) reduction(+: f)
  do k = 1, nk
    do j = 1, nj
      do i = 1, ni
        f = f + outf(i,j,k)
      end do
    end do
  end do
end subroutine
