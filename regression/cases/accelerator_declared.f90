! head: m::f(y)/(x)
! size: n=9
! acc: host
! Module arrays that a directive declares for the device: brought up to date on both sides, changed there in place, and used
! with triangular bounds.
module m
  implicit none
  real(8) :: tab(9), work(9)
  !$acc declare create(tab, work)
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, j
    real(8) :: t
    do i = 1, 9
      tab(i) = x(i)**2
    end do
    !$acc update device(tab)
    !$acc parallel loop private(t)
    do i = 1, n
      t = 0
      do j = 1, i
        t = t + tab(j)*x(j)
      end do
      y(i) = t
      work(i) = t*x(i)
    end do
    !$acc parallel loop
    do i = 1, 9
      tab(i) = tab(i)*tab(i) + sin(work(i))
    end do
    !$acc parallel loop
    do i = 1, 9
      work(i) = exp(-work(i))*tab(i)
    end do
    !$acc update host(tab, work)
    y(1) = y(1) + sum(tab)
    y(2) = y(2)*work(3)
  end subroutine f
end module m
