! head: m::f(y,z)/(x)
! size: n=20
! acc: host
! Sums that derivative code makes in loops inside, on a device.
module m
  implicit none
contains
  pure subroutine column(k, a, c, b)
    !$acc routine seq
    integer, intent(in) :: k
    real(8), intent(in) :: a(k), c
    real(8), intent(out) :: b(k)
    integer :: i
    do i = 1, k
      b(i) = a(i)*c
    end do
  end subroutine column
  subroutine f(n, x, y, z)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n, n)
    real(8), intent(out) :: y(n, n), z(n, n)
    real(8) :: c
    integer :: i, j
    c = x(1, 2)
    !$acc parallel loop collapse(2)
    do j = 1, n
      do i = 1, n
        y(i, j) = c*x(i, j)**2
      end do
    end do
    !$acc parallel loop copyin(x, c) copy(z)
    do j = 1, n
      do i = 1, n
        z(i, j) = c*x(i, j)
      end do
    end do
    !$acc parallel loop
    do j = 1, n
      call column(n, z(:, j), x(j, j), y(:, j))
    end do
  end subroutine f
end module m
