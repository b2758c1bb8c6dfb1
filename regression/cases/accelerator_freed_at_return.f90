! head: m::f(y)/(x)
! size: n=8
! acc: host
! Arrays that have been on the device are freed where the procedure ends.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), allocatable :: w(:), v(:)
    integer :: i
    allocate (w(n))
    if (x(1) > -10) allocate (v(n + 1))
    !$acc data create(w) copyin(x) copyout(y)
    !$acc parallel loop
    do i = 1, n
      w(i) = x(i)**2
    end do
    !$acc parallel loop copy(v)
    do i = 1, n
      v(i) = w(i)*x(i)
    end do
    !$acc parallel loop copy(v)
    do i = 1, n
      y(i) = w(i)*x(n + 1 - i) + v(i)
    end do
    !$acc end data
  end subroutine f
end module m
