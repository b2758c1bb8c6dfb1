! two_phases: a 2-D stencil with two time loops, one for each of two regimes
! head: kernel(f,u)/(u,k)
! size: n=8 first=5 second=6
subroutine kernel(n, first, second, u, k, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n, first, second
  real(c_double), intent(inout) :: u(n,n)
  real(c_double), intent(in)    :: k(n,n)
  real(c_double), intent(out)   :: f
  real(c_double) :: next(n,n)
  integer :: i, j, it
  next = u
  do it = 1, first
    do j = 2, n - 1
      do i = 2, n - 1
        next(i,j) = u(i,j) + k(i,j)*u(i,j)*(u(i+1,j) + u(i-1,j) + u(i,j+1) + u(i,j-1) - 4d0*u(i,j))
      end do
    end do
    u = next
  end do
  do it = 1, second
    do j = 2, n - 1
      do i = 2, n - 1
        next(i,j) = u(i,j) + k(i,j)*(u(i+1,j) + u(i-1,j) + u(i,j+1) + u(i,j-1) - 4d0*u(i,j)) &
                  + 0.01d0*u(i,j)*(1d0 - u(i,j)/(1d0 + u(i,j)**2))
      end do
    end do
    u = next
  end do
  f = 0d0
  do j = 1, n
    do i = 1, n
      f = f + u(i,j)**2
    end do
  end do
end subroutine
