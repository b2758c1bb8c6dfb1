! head: m::f(y,z)/(x)
! size: n=9
! threads: 4
! Reductions that the program declares, and that do what built-in ones do. (Dummies in such clauses stop gfortran 12.)
module m
  implicit none
!$omp declare reduction(mine : real(8) : omp_out = omp_out + omp_in) &
!$omp   initializer(omp_priv = 0.0d0)
!$omp declare reduction(least : real(8) : omp_out = min(omp_out, omp_in)) initializer(omp_priv = huge(0d0))
contains
  subroutine f(n, x, y, z)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n), z(6)
    real(8) :: k, s, t, u(2)
    integer :: i
!$omp declare reduction(largest: real(8): omp_out = max(omp_in, omp_out)) initializer(omp_priv = omp_orig)
!$omp declare reduction(Times: real(8): omp_out = omp_out*omp_in) initializer(omp_priv = 1.0d0)
    s = 0
    t = 1
    k = 0
    u = 0
!$omp parallel do reduction(mine: k)
    do i = 1, n
      if (mod(i, 2) == 0) k = k + i
    end do
!$omp parallel do reduction(mine: s) reduction(times: t)
    do i = 1, n
      s = s + k*x(i)**2
      t = t*(1 + 0.1d0*x(i))
    end do
    z(1:2) = [s, t]
    y = x
!$omp parallel do reduction(LARGEST : s)
    do i = 1, n
      s = max(s, 50*x(i))
      y(i) = y(i)**2
    end do
!$omp parallel do reduction(mine: u)
    do i = 1, n
      u(1 + mod(i, 2)) = u(1 + mod(i, 2)) + sin(x(i))
    end do
    t = 9
!$omp parallel do reduction(least: t)
    do i = 1, n
      t = min(t, x(i)*u(1))
    end do
    z(3:6) = [s, u, t]
  end subroutine f
end module m
