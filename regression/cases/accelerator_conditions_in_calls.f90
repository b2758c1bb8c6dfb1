! head: m::f(y)/(x)
! size: n=16
! acc: host
! The callee works on the host or on the device by a flag; it takes care of the data itself.
module m
  implicit none
contains
  subroutine work(n, a, b, dev)
    integer, intent(in) :: n
    logical, intent(in) :: dev
    real(8), intent(in) :: a(n)
    real(8), intent(inout) :: b(n)
    integer :: i
    !$acc parallel loop copyin(a) copy(b) if(dev)
    do i = 1, n
      b(i) = b(i)*a(i) + 0.2d0
    end do
  end subroutine work
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    y = x
    call work(n, x, y, .false.)
    !$acc data copyin(x) copy(y)
    call work(n, x, y, .true.)
    !$acc parallel loop
    do i = 1, n
      y(i) = y(i)**2
    end do
    !$acc end data
    call work(n, x, y, .false.)
  end subroutine f
end module m
