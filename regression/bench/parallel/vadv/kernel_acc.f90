! vadv: COSMO vertical advection (Thomas solver per column), f = sum(utens_stage); on a device
subroutine kernel(ni, nj, nk, dtr, utens_stage, u_stage, wcon, u_pos, utens, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: ni, nj, nk
  real(c_double), intent(in)    :: dtr
  real(c_double), intent(inout) :: utens_stage(ni,nj,nk)
  real(c_double), intent(in)    :: u_stage(ni,nj,nk), wcon(ni+1,nj,nk), u_pos(ni,nj,nk), utens(ni,nj,nk)
  real(c_double), intent(out)   :: f
  real(c_double), parameter :: bet_m = 0.5d0, bet_p = 0.5d0
  real(c_double) :: ccol(ni,nj,nk), dcol(ni,nj,nk), data_col(ni,nj)
  real(c_double) :: gav, gcv, as, cs, acol, bcol, corr, divided, datacol
  integer :: i, j, k
  !$acc data copyin(u_stage, wcon, u_pos, utens) copy(utens_stage) create(ccol, dcol, data_col)
  k = 1
  !$acc parallel loop collapse(2) default(present) private(gcv, cs, bcol, corr, divided)
  do j = 1, nj
    do i = 1, ni
      gcv = 0.25d0*(wcon(i+1,j,k+1) + wcon(i,j,k+1))
      cs = gcv*bet_m
      ccol(i,j,k) = gcv*bet_p
      bcol = dtr - ccol(i,j,k)
      corr = -cs*(u_stage(i,j,k+1) - u_stage(i,j,k))
      dcol(i,j,k) = dtr*u_pos(i,j,k) + utens(i,j,k) + utens_stage(i,j,k) + corr
      divided = 1d0/bcol
      ccol(i,j,k) = ccol(i,j,k)*divided
      dcol(i,j,k) = dcol(i,j,k)*divided
    end do
  end do
  do k = 2, nk-1
    !$acc parallel loop collapse(2) default(present) private(gav, gcv, as, cs, acol, bcol, corr, divided)
    do j = 1, nj
      do i = 1, ni
        gav = -0.25d0*(wcon(i+1,j,k) + wcon(i,j,k))
        gcv = 0.25d0*(wcon(i+1,j,k+1) + wcon(i,j,k+1))
        as = gav*bet_m
        cs = gcv*bet_m
        acol = gav*bet_p
        ccol(i,j,k) = gcv*bet_p
        bcol = dtr - acol - ccol(i,j,k)
        corr = -as*(u_stage(i,j,k-1) - u_stage(i,j,k)) - cs*(u_stage(i,j,k+1) - u_stage(i,j,k))
        dcol(i,j,k) = dtr*u_pos(i,j,k) + utens(i,j,k) + utens_stage(i,j,k) + corr
        divided = 1d0/(bcol - ccol(i,j,k-1)*acol)
        ccol(i,j,k) = ccol(i,j,k)*divided
        dcol(i,j,k) = (dcol(i,j,k) - dcol(i,j,k-1)*acol)*divided
      end do
    end do
  end do
  k = nk
  !$acc parallel loop collapse(2) default(present) private(gav, as, acol, bcol, corr, divided)
  do j = 1, nj
    do i = 1, ni
      gav = -0.25d0*(wcon(i+1,j,k) + wcon(i,j,k))
      as = gav*bet_m
      acol = gav*bet_p
      bcol = dtr - acol
      corr = -as*(u_stage(i,j,k-1) - u_stage(i,j,k))
      dcol(i,j,k) = dtr*u_pos(i,j,k) + utens(i,j,k) + utens_stage(i,j,k) + corr
      divided = 1d0/(bcol - ccol(i,j,k-1)*acol)
      dcol(i,j,k) = (dcol(i,j,k) - dcol(i,j,k-1)*acol)*divided
    end do
  end do
  !$acc parallel loop collapse(2) default(present) private(datacol)
  do j = 1, nj
    do i = 1, ni
      datacol = dcol(i,j,nk)
      data_col(i,j) = datacol
      utens_stage(i,j,nk) = dtr*(datacol - u_pos(i,j,nk))
    end do
  end do
  do k = nk-1, 1, -1
    !$acc parallel loop collapse(2) default(present) private(datacol)
    do j = 1, nj
      do i = 1, ni
        datacol = dcol(i,j,k) - ccol(i,j,k)*data_col(i,j)
        data_col(i,j) = datacol
        utens_stage(i,j,k) = dtr*(datacol - u_pos(i,j,k))
      end do
    end do
  end do
  f = 0d0
  !$acc parallel loop collapse(3) default(present) copy(f) reduction(+: f)
  do k = 1, nk
    do j = 1, nj
      do i = 1, ni
        f = f + utens_stage(i,j,k)
      end do
    end do
  end do
  !$acc end data
end subroutine
