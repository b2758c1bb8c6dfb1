! head: m::f(y)/(x)
! size: n=11
! threads: 4
! A called procedure works in a variable of which each thread has its own: what is left in the first one's is as it happens.
module m
  implicit none
  real(8), save :: work(3)
  !$omp threadprivate(work)
contains
  subroutine powers(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    integer :: k
    do k = 1, 3
      work(k) = x**k
    end do
    y = sum(work)
  end subroutine powers

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    work = 0
    !$omp parallel do
    do i = 1, n
      call powers(x(i), y(i))
    end do
  end subroutine f
end module m
