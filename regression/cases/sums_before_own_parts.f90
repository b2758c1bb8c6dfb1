! head: a(y, tot)/(x)
! head: b(y, z)/(x)
! size: n=1,8
! threads: 4
! Sums as they are before an iteration's own part (`scan exclusive`): with work that both sides share, and several at once.
module m
  implicit none
contains
  subroutine a(n, x, y, tot)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n), tot
    real(8) :: s
    integer :: i
    s = 0
    !$omp parallel do simd reduction(inscan, +: s)
    do i = 1, n
      y(i) = s*x(i)**2 + sin(s)
      !$omp scan exclusive(s)
      s = s + x(i)**3
    end do
    tot = s
  end subroutine
  subroutine b(n, x, y, z)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n), z(n)
    real(8) :: s, q
    integer :: i
    s = 1; q = 0
    z = 0
    !$omp parallel do reduction(inscan, +: s, q)
    do i = 1, n
      if (mod(i, 3) > 0) then
        z(i) = q*x(i)
        y(i) = s*x(i)
        y(i) = y(i)*z(i) + x(i)
      else
        y(i) = s + q
      end if
      !$omp scan exclusive(s, q)
      if (x(i) > 0.1d0) then
        s = s + 0.1d0*x(i)
        q = q + x(i)**2
      end if
    end do
    z(1) = z(1) + s*q
  end subroutine
end module
