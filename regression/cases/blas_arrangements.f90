! Procedures of BLAS as codes call them: parts of one work array side by side, columns by their first elements, fills by an increment of
! zero, an interface with other names, sizes of zero, results within expressions.
! head: m::parts(y)/(x)
! head: m::eliminate(y)/(x)
! head: m::named(y)/(x)
! size: n=5
! link: -llapack -lblas
module m
  implicit none
  interface
    subroutine daxpy(n, da, dx, incx, dy, incy)
      integer, intent(in) :: n, incx, incy
      real(8), intent(in) :: da, dx(*)
      real(8), intent(inout) :: dy(*)
    end subroutine daxpy
    pure function ddot(n, dx, incx, dy, incy)
      integer, intent(in) :: n, incx, incy
      real(8), intent(in) :: dx(*), dy(*)
      real(8) :: ddot
    end function ddot
  end interface
contains
  subroutine parts(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: w(3*n), zero
    integer :: k
    zero = 0d0
    w(1:n) = sin(x)
    w(n+1:2*n) = 0.1d0
    call daxpy(n, 1d0, w, 1, w(n+1), 1)
    call dcopy(n, 0d0, 0, w(2*n+1), 1)
    do k = 1, 3
      call dscal(n, x(k), w(n+1), 1)
      call daxpy(n, 0.5d0, w(n+1), 1, w(2*n+1), 1)
      call drot(n - k, w(1), 1, w(n+2), 1, 0.8d0, 0.6d0)
    end do
    y = w(n+1:2*n)*w(2*n+1:3*n) + w(:n)
    call dcopy(2, zero, 0, y(2), 2)
    call daxpy(0, x(1), x, 1, y, 1)
    call dgemv('N', n, 0, x(1), w, n, x, 1, 3d0, y, 1)
  end subroutine parts

  subroutine eliminate(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n, n)
    integer :: j, k
    do j = 1, n
      a(:,j) = 0.1d0*cos(x*j)
      a(j,j) = 2d0 + x(j)
    end do
    do k = 1, n - 1
      call dscal(n - k, 1d0/a(k,k), a(k+1,k), 1)
      do j = k + 1, n
        call daxpy(n - k, -a(k,j), a(k+1,k), 1, a(k+1,j), 1)
      end do
    end do
    do j = 1, n
      y(j) = a(j,j)*idamax_of(n, a(1,j)) + a(n,j)
    end do
  end subroutine eliminate

  real(8) function idamax_of(n, v)
    integer, intent(in) :: n
    real(8), intent(in) :: v(n)
    integer, external :: idamax
    idamax_of = v(idamax(n, v, 1))**2
  end function idamax_of

  pure real(8) function energy(n, v)
    integer, intent(in) :: n
    real(8), intent(in) :: v(n)
    energy = 0.5d0*ddot(n, v, 1, v, 1)
  end function energy

  subroutine named(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    y = x**2
    call daxpy(n, x(1), x, 1, dy=y, incy=1)
    call daxpy(incy=-1, dy=y, incx=1, dx=x, da=0.3d0, n=n)
    if (ddot(n, y, 1, dy=x, incy=1) > 0d0) y(2) = y(2)*energy(n, x) + ddot(2, x, 1, dy=[x(3), y(1)], incy=1)
  end subroutine named
end module m
