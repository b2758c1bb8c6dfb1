! head: m::f(y)/(x)
! size: n=20
! acc: host
! Work space that the callee only copies in is changed on the device within the callee's region only.
module m
  implicit none
contains
  subroutine work(n, a, b)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8), intent(out) :: b(n)
    real(8) :: w(n)
    integer :: i, k
    w = a
    !$acc data copyin(w) copyout(b)
    do k = 1, 3
      !$acc parallel loop
      do i = 1, n
        w(i) = w(i)**2 + 0.1d0
      end do
    end do
    !$acc parallel loop
    do i = 1, n
      b(i) = w(i)*w(n + 1 - i)
    end do
    !$acc end data
  end subroutine work
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: z(n)
    call work(n, x, z)
    call work(n, z, y)
    y = y*z
  end subroutine f
end module m
