! head: m::f(y)/(x)
! size: n=24
! do concurrent: several indices, masks, scalars of an iteration, pure functions, time steps.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, j, it
    real(8) :: a(n, n), t
    do concurrent (i = 1:n, j = 1:n)
      a(i, j) = x(i)*x(j) + i
    end do
    do it = 1, 2
      do concurrent (j = 2:n - 1)
        do i = 2, n - 1
          t = a(i, j)*a(i, j)
          a(i, j) = t*0.01d0 + g(x(i))
        end do
      end do
    end do
    do concurrent (i = 1:n, x(i) > 0.2d0)
      y(i) = sum(a(:, i))*x(i)
    end do
    do concurrent (i = 1:n, x(i) <= 0.2d0)
      y(i) = a(i, i)
    end do
  end subroutine f

  pure real(8) function g(a)
    real(8), intent(in) :: a
    g = sin(a)
  end function g
end module m
