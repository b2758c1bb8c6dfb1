! head: m::f(y)/(x)
! size: n=20
! acc: host
! The result of a parallel region is a scalar that the clause says is shared.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: b
    !$acc data copyin(x) create(b) copyout(y)
    !$acc parallel loop present(x, b)
    do i = 1, n
      if (i == n/2) b = x(i)**2
    end do
    !$acc parallel loop present(x, b, y)
    do i = 1, n
      y(i) = x(i)*b
    end do
    !$acc end data
  end subroutine f
end module m
