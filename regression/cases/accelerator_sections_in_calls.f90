! head: m::f(y)/(x)
! size: x=30 y=30
! acc: host
! Assumed shape, sections passed to a procedure that uses data present.
module m
  implicit none
contains
  subroutine sm(a, b)
    real(8), intent(in) :: a(:)
    real(8), intent(inout) :: b(:)
    integer :: i
    !$acc parallel loop present(a, b)
    do i = 2, size(a) - 1
      b(i) = b(i) + a(i)*(a(i - 1) + a(i + 1))
    end do
  end subroutine sm
  subroutine f(x, y)
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: y(:)
    integer :: i
    !$acc data copyin(x) copyout(y)
    !$acc parallel loop
    do i = 1, size(y)
      y(i) = x(i)
    end do
    call sm(x, y)
    call sm(x(2:), y(:size(y)-1))
    !$acc end data
  end subroutine f
end module m
