! head: m::f(y)/(x)
! size: n=9 nb=3
! threads: 4
! calls: split
! Calls in parallel loops whose adjoints keep a record, blocks of columns that a loop picks by its own variable, and what
! an iteration leaves in variables of its own.
module m
  implicit none
contains
  subroutine root(a, b, z)
    real(8), intent(in) :: a, b
    real(8), intent(out) :: z
    integer :: k
    z = 1
    do k = 1, 50
      z = z - (z**3 + a*z - b)/(3*z**2 + a)
      if (abs(z**3 + a*z - b) < 1d-12) exit
    end do
  end subroutine root

  subroutine f(n, nb, x, y)
    integer, intent(in) :: n, nb
    real(8), intent(in) :: x(n, nb)
    real(8), intent(out) :: y(n, nb)
    real(8) :: z, w(2)
    integer :: i, ib, k, l
    !$omp parallel do private(ib, i, z)
    do ib = 1, nb
      do i = 1, n
        call root(1 + x(i, ib)**2, 2*x(i, ib), z)
        y(i, ib) = z*x(i, ib)
      end do
    end do
    !$omp parallel do private(ib, k, l, w) schedule(dynamic)
    do ib = nb, 1, -1
      do i = 1, n
        l = i
        if (y(i, ib) > 0.5d0) l = n + 1 - i
        k = 0
        w = x(l, ib)
        do while (y(i, ib) < 1.5d0)
          y(i, ib) = y(i, ib)*1.3d0 + 0.1d0*w(1) + 0.1d0
          w(1) = w(1)*w(2)
          k = k + 1
        end do
        y(i, ib) = y(i, ib)*k*w(1)
      end do
    end do
  end subroutine f
end module m
