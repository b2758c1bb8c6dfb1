! head: m::f(y)/(x)
! size: n=24
! acc: host
! Functions with a loop on the device, called in expressions of the host.
module m
  implicit none
contains
  real(8) function dot(n, a, b)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), b(n)
    integer :: i
    dot = 0
    !$acc parallel loop present(a, b) reduction(+:dot)
    do i = 1, n
      dot = dot + a(i)*b(i)
    end do
  end function dot
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, it
    real(8) :: r(n), alpha
    !$acc data copyin(x) copyout(y) create(r)
    !$acc parallel loop
    do i = 1, n
      r(i) = x(i)
      y(i) = 0
    end do
    do it = 1, 3
      alpha = dot(n, r, r)/(1 + dot(n, r, x))
      !$acc parallel loop
      do i = 1, n
        y(i) = y(i) + alpha*r(i)
        r(i) = r(i) - 0.1d0*alpha*x(i)*r(i)
      end do
    end do
    !$acc end data
  end subroutine f
end module m
