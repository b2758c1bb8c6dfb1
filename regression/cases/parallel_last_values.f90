! head: m::f(y)/(x)
! size: n=24
! threads: 4
! Values that the last iteration leaves.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, k
    real(8) :: t, u
    !$omp parallel do lastprivate(t, k) private(u)
    do i = 1, n
      u = x(i)*x(i)
      k = mod(i, 5) + 1
      t = u + x(k)
      y(i) = t*u
    end do
    y(k) = y(k)*t
    !$omp parallel do lastprivate(t)
    do i = n, 1, -1
      t = x(i)**3
      y(i) = y(i) + t
    end do
    y(2) = y(2) + t*t
  end subroutine f
end module m
