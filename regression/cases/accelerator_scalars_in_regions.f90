! head: m::f(y)/(x)
! size: n=20
! acc: host
! Scalars in data regions and in copy clauses, set on the device.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: a, b, c
    a = x(1)*2
    !$acc data copyin(x, a) create(b) copyout(y)
    !$acc serial present(a, b, x)
    b = a*x(2)
    !$acc end serial
    !$acc parallel loop present(a, b)
    do i = 1, n
      y(i) = a*x(i)**2 + b
    end do
    !$acc update host(b)
    c = b*b
    b = c + a
    !$acc update device(b)
    !$acc parallel loop present(b)
    do i = 1, n
      y(i) = y(i)*b
    end do
    !$acc end data
    y(n) = y(n)*c
  end subroutine f
end module m
