! Time loops around loops that are shared out, each iteration with an array and scalars of its own, which it assigns over and
! over from what it overwrites. Nothing of what they hold where an iteration begins is of use to it.
! head: m::f(y)/(x, y)
! size: n=6 m=5
! threads: 4
module m
  implicit none
contains
  subroutine f(n, m, x, y)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: x(n, m)
    real(8), intent(inout) :: y(n, m)
    real(8) :: a(3), b(2, 2), s, t
    integer :: i, j, k, step
    do step = 1, 3
      !$omp parallel do private(a, b, s, t, k, i)
      do j = 1, m
        do i = 1, n
          do k = 1, 3
            a(k) = y(i, j)*k
          end do
          s = 0.2d0*sin(a(1))*a(2)
          do k = 1, 2
            b(:, k) = s*a(k)
            s = s + b(1, k)*y(i, j)
          end do
          if (y(i, j) > 0.3d0) then
            t = s*b(2, 1)
          else
            t = b(1, 2)**2
          end if
          y(i, j) = sin(a(1)*a(3)*x(i, j)) + 0.1d0*cos(t*s)
        end do
      end do
      !$omp parallel do private(a, s) collapse(2)
      do j = 2, m
        do i = 1, n
          a = x(i, j)
          s = a(1)*a(2)
          a(2) = s*a(3)
          x(i, j) = x(i, j) + 0.1d0*cos(a(2)*s)
        end do
      end do
    end do
  end subroutine f
end module m
