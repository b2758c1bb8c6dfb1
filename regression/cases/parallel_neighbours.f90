! head: m::f(y)/(x, q)
! size: n=11 m=7
! threads: 4
! Adjoints whose iterations add to elements of their neighbours', by values that only an iteration has, so that no sum is
! gathered: along the outer and the inner of two loops, with steps, in branches, by two arrays, and where an iteration uses
! what it adds to.
module m
  implicit none
contains
  subroutine f(n, m, x, q, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n, m)
    real(8), intent(inout) :: q(n, m)
    real(8), intent(out) :: y(n, m)
    real(8) :: side(2), third, flux(n, m), z(n, m)
    integer :: i, j, k
    y = 0
    flux = 0
    z = 0
    !$omp parallel do private(side, third, i)
    do j = 3, m - 1
      do i = 1, n
        side = [x(i, j - 1) + x(i, j), x(i, j + 1) - x(i, j - 2)]
        third = x(i, j + 1)*q(i, j) - 3*q(i, j - 1)
        flux(i, j) = side(1)*side(2) + third**2
      end do
    end do
    ! The loop along which the neighbours are is the inner one.
    !$omp parallel do collapse(2) private(third)
    do k = 1, 3
      do j = 2, m - 2
        do i = 1, n
          third = sin(flux(i, j + 1) - flux(i, j))
          if (k == 2) y(i, j) = y(i, j) + third*x(i, j)
          if (k == 3) z(i, j + 1) = third**2
        end do
      end do
    end do
    y = y + z
    ! With a step, some of them never meet.
    !$omp parallel do private(third)
    do j = m, 4, -2
      third = sin(x(1, j - 2)*x(2, j - 1))
      q(3, j) = q(3, j) + third*x(1, j)*x(2, j - 3)
    end do
    ! A sweep over red and black points assigns what it reads in part.
    do k = 0, 1
      !$omp parallel do private(i)
      do j = 2, m - 1
        do i = 2 + mod(j + k, 2), n - 1, 2
          q(i, j) = 0.2d0*(q(i - 1, j) + q(i + 1, j)*q(i, j - 1) + q(i, j + 1)) + 0.1d0*q(i, j)**2
        end do
      end do
    end do
    !$omp parallel do private(side)
    do i = 1, n
      side = [q(i, 1), q(max(i - 1, 1), 2)]
      y(i, 1) = side(1)*side(2)
    end do
    ! No iteration, and one.
    !$omp parallel do private(third)
    do i = n, n - 1
      third = x(i - 1, 1)*x(i, 1)
      y(i, m) = third**2
    end do
    !$omp parallel do private(third)
    do i = 2, 2
      third = x(i - 1, 1)*x(i + 1, 1)
      y(i, m) = third**2
    end do
  end subroutine f
end module m
