! layered_calls: in every step a layer after the other is heated and mixed by a procedure that calls another
! head: kernel(f,t)/(t,k)
! size: n=12 layers=3 nsteps=5
module layered
  use iso_c_binding, only: c_int, c_double
  implicit none
contains
  subroutine radiate(n, t, heating)
    integer(c_int), intent(in)  :: n
    real(c_double), intent(in)  :: t(n)
    real(c_double), intent(out) :: heating(n)
    real(c_double) :: depth(n)
    integer :: i
    do i = 1, n
      depth(i) = exp(-0.5d0*t(i))
    end do
    do i = 1, n
      heating(i) = 0.01d0*(depth(i) - 0.2d0*t(i)**4*depth(i)**2)
    end do
  end subroutine

  subroutine layer(n, above, t, k)
    integer(c_int), intent(in)    :: n
    real(c_double), intent(in)    :: above(n), k(n)
    real(c_double), intent(inout) :: t(n)
    real(c_double) :: heating(n), mixed(n)
    integer :: i
    call radiate(n, t, heating)
    mixed(1) = t(1)
    mixed(n) = t(n)
    do i = 2, n - 1
      mixed(i) = t(i) + k(i)*t(i)*(t(i+1) - 2d0*t(i) + t(i-1))
    end do
    do i = 1, n
      t(i) = mixed(i) + heating(i) + 0.01d0*(above(i) - mixed(i))*mixed(i)
    end do
  end subroutine
end module

subroutine kernel(n, layers, nsteps, t, k, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  use layered, only: layer
  implicit none
  integer(c_int), intent(in)    :: n, layers, nsteps
  real(c_double), intent(inout) :: t(n,0:layers)
  real(c_double), intent(in)    :: k(n)
  real(c_double), intent(out)   :: f
  integer :: i, l, it
  do it = 1, nsteps
    do l = 1, layers
      call layer(n, t(:,l-1), t(:,l), k)
    end do
  end do
  f = 0d0
  do l = 1, layers
    do i = 1, n
      f = f + t(i,l)**2
    end do
  end do
end subroutine
