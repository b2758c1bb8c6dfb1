! head: m::f(y)/(x)
! size: n=24
! threads: 4
! Vector operations, alone and in threads.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: t, s
    s = 0
    !$omp simd private(t) reduction(+: s)
    do i = 1, n
      t = x(i)*x(i)
      s = s + t
      y(i) = t*t
    end do
    !$omp parallel do simd simdlen(4)
    do i = 1, n
      y(i) = y(i)*s + twice(x(i))
    end do
    !$omp simd safelen(2)
    do i = 3, n
      y(i) = y(i) + 0.5d0*y(i - 2)
    end do
  end subroutine f

  pure real(8) function twice(a)
    !$omp declare simd
    real(8), intent(in) :: a
    twice = a + a*a
  end function twice
end module m
