! head: m::f(y)/(x)
! size: n=6
! acc: host
! A call gets addresses on the device, through which no derivative passes.
module m
  implicit none
contains
  subroutine g(n, k)
    integer, intent(in) :: n
    integer, intent(inout) :: k(n)
    k(1:n) = n + 1 - k(1:n)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, k(n)
    k = [(i, i = 1, n)]
    !$acc data copy(k)
    !$acc host_data use_device(k)
    call g(n, k)
    !$acc end host_data
    !$acc end data
    !$acc parallel loop
    do i = 1, n
      y(i) = x(k(i))**2*x(i)
    end do
  end subroutine
end module
