! head: m::f(y)/(x)
! size: n=5
! memory that is allocated through pointers
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), pointer :: p(:), q(:)
    integer :: i
    allocate(p(n))
    p = x**2
    q => p(2:n)
    q = q*p(1)
    do i = 1, n
      y(i) = p(i)*sin(x(i))
    end do
    deallocate(p)
    allocate(p(2))
    p(1) = y(1)
    p(2) = y(2)*x(2)
    y(1) = p(1)*p(2)
    deallocate(p)
  end subroutine f
end module m
