! head: m::f(y,z)/(x,c,d,a)
! size: n=12
! threads: 4
! Derivatives that all iterations of `do concurrent` add to: of scalars, of an element, in loops over two indices, with a mask,
! a step, inner loops, and no iterations.
module m
  implicit none
contains
  subroutine f(n, x, c, d, a, y, z)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), c, d, a(n, n)
    real(8), intent(out) :: y(n), z(n, n)
    real(8) :: s
    integer :: i, j, k
    do concurrent (i = 1:n)
      y(i) = c*x(i) + sin(d)*x(3)
    end do
    do concurrent (i = n - 1:2:-2)
      y(i) = y(i)*d
    end do
    do concurrent (i = 1:n, j = 1:n)
      z(i, j) = c*a(i, j)**2
    end do
    do concurrent (i = 2:n - 1, j = 2:n - 1, a(i, j) > 0.5d0)
      z(i, j) = z(i, j)*cos(c*d)
    end do
    s = y(1)*d
    do concurrent (i = 1:n)
      do k = 1, 3
        y(i) = y(i) + 0.1d0*s*y(i)
      end do
    end do
    do concurrent (i = n + 1:n)
      y(i) = c
    end do
  end subroutine f
end module m
