! head: m::f(y,z,w)/(x)
! size: n=24
! threads: 4
! Functions and subroutines in regions whose arguments are expressions, and that use active variables of a module.
module m
  implicit none
  real(8) :: scale
contains
  pure real(8) function limited(a, b)
    real(8), intent(in) :: a, b
    limited = 2*a*b/(a + b)
  end function limited
  real(8) function scaled(a)
    real(8), intent(in) :: a
    scaled = a*scale
  end function scaled
  pure subroutine square(a, b)
    real(8), intent(in) :: a
    real(8), intent(out) :: b
    b = a**2
  end subroutine square
  subroutine f(n, x, y, z, w)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n), z(n), w(n)
    integer :: i
    y = 0
    scale = x(1)
    !$omp parallel do
    do i = 2, n - 1
      y(i) = limited(2 + x(i) - x(i-1), 3 + x(i+1) - x(i))
    end do
    !$omp parallel do
    do i = 1, n
      z(i) = 2*scaled(1.5d0*i)
    end do
    !$omp parallel do
    do i = 1, n
      call square(x(i) + i, w(i))
    end do
  end subroutine f
end module m
