! head: m::f(y)/(x)
! size: n=16
! acc: host
! A function with an array for its result works on the device.
module m
  implicit none
contains
  function grad(n, a) result(g)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8) :: g(n)
    integer :: i
    !$acc parallel loop copyin(a) copyout(g)
    do i = 1, n
      g(i) = a(1 + mod(i, n))*a(i) - a(i)
    end do
  end function grad
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: w(n)
    w = grad(n, x)*x
    !$acc parallel loop copyin(w) copyout(y)
    do i = 1, n
      y(i) = w(i)**2
    end do
    y = y + grad(n, y)
  end subroutine f
end module m
