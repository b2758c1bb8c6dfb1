! `do concurrent` loops whose iterations have arrays of their own, scalars that only a called procedure assigns, and whose
! adjoints add to elements of their neighbours'.
! head: m::f(y)/(x, q)
! size: n=11 m=7
module m
  implicit none
  integer, parameter :: width = 4, fields = 2
contains
  pure subroutine side(a, b, left, right)
    real(8), intent(in) :: a, b
    real(8), intent(out) :: left, right
    left = a*b
    right = sin(a) - b
  end subroutine side

  subroutine f(n, m, x, q, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n, m)
    real(8), intent(inout) :: q(n, m)
    real(8), intent(out) :: y(n, m)
    real(8) :: near(width), both(fields), left, right, flux(n, m), steep
    integer :: i, j, s, v
    y = 0
    flux = 0
    ! Along the first index.
    do concurrent (j = 1:m, i = 3:n - 1)
      do v = 1, fields
        do s = 1, width
          near(s) = x(i - 3 + s, j)*v
        end do
        both(v) = -near(1)/12 + 7*near(2)/12 + 7*near(3)/12 - near(4)/12
      end do
      steep = both(1)*both(2)
      flux(i, j) = steep*q(i, j) + both(2)
    end do
    ! Along the second one, and by what a procedure gives.
    do concurrent (i = 1:n, j = 2:m - 1)
      call side(flux(i, j), x(i, j + 1), left, right)
      y(i, j) = left*right + (flux(i, j + 1) - flux(i, j - 1))**2
    end do
    ! With a step, and zero trips.
    do concurrent (j = m:2:-2)
      both = [x(1, j), x(n, j - 1)]
      y(2, j) = y(2, j) + both(1)*both(2)
    end do
    do concurrent (j = 5:4)
      both = [x(1, j), x(1, j + 1)]
      y(1, j) = both(1)*both(2)
    end do
    q = q*y
  end subroutine f
end module m
