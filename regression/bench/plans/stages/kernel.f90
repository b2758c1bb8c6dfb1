! stages: 2-D advection by a rotating wind in steps of two stages, with limited slopes and fluxes in work arrays
! head: kernel(f,c)/(c,u,v)
! size: n=8 nsteps=4
module advection_2d
  use iso_c_binding, only: c_int, c_double
  implicit none
contains
  ! The tendency of c by fluxes through the faces.
  subroutine tendency(n, c, u, v, dc)
    integer(c_int), intent(in)  :: n
    real(c_double), intent(in)  :: c(n,n), u(n,n), v(n,n)
    real(c_double), intent(out) :: dc(n,n)
    real(c_double) :: slope(n,n), flux(n,n), left, right
    integer :: i, j
    dc = 0d0
    slope = 0d0
    flux = 0d0
    do j = 1, n
      do i = 2, n - 1
        left = c(i,j) - c(i-1,j)
        right = c(i+1,j) - c(i,j)
        if (left*right > 0d0) slope(i,j) = 2d0*left*right/(left + right)
      end do
    end do
    do j = 1, n
      do i = 2, n
        flux(i,j) = max(u(i,j), 0d0)*(c(i-1,j) + 0.5d0*slope(i-1,j)) &
                  + min(u(i,j), 0d0)*(c(i,j) - 0.5d0*slope(i,j))
      end do
    end do
    do j = 1, n
      do i = 2, n - 1
        dc(i,j) = dc(i,j) + flux(i,j) - flux(i+1,j)
      end do
    end do
    flux = 0d0
    do j = 2, n
      do i = 1, n
        flux(i,j) = max(v(i,j), 0d0)*c(i,j-1) + min(v(i,j), 0d0)*c(i,j)
      end do
    end do
    do j = 2, n - 1
      do i = 1, n
        dc(i,j) = dc(i,j) + flux(i,j) - flux(i,j+1)
      end do
    end do
  end subroutine
end module

subroutine kernel(n, nsteps, c, u, v, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  use advection_2d, only: tendency
  implicit none
  integer(c_int), intent(in)    :: n, nsteps
  real(c_double), intent(inout) :: c(n,n)
  real(c_double), intent(in)    :: u(n,n), v(n,n)
  real(c_double), intent(out)   :: f
  real(c_double) :: first(n,n), second(n,n), middle(n,n)
  integer :: i, j, it
  do it = 1, nsteps
    call tendency(n, c, u, v, first)
    middle = c + first
    call tendency(n, middle, u, v, second)
    c = c + 0.5d0*(first + second)
  end do
  f = 0d0
  do j = 1, n
    do i = 1, n
      f = f + c(i,j)**2
    end do
  end do
end subroutine
