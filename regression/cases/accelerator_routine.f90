! head: m::f(y)/(x)
! size: n=24
! acc: host
! Procedures that a device calls.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    !$acc parallel loop copyin(x) copyout(y)
    do i = 1, n
      call one(x(i), y(i))
      y(i) = y(i)*two(x(i))
    end do
  end subroutine f

  subroutine one(a, b)
    !$acc routine seq
    real(8), intent(in) :: a
    real(8), intent(out) :: b
    real(8) :: w(3)
    integer :: k
    !$acc loop seq
    do k = 1, 3
      w(k) = a**k
    end do
    b = w(1)*w(2) + w(3)
  end subroutine one

  real(8) function two(a)
    !$acc routine seq
    real(8), intent(in) :: a
    two = sin(a)*a
  end function two
end module m
