! head: m::f(y)/(x)
! size: n=6
! two pointers to the same memory in one statement
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: a(n)
    real(8), pointer :: p(:), q(:)
    integer :: i
    a = x
    p => a
    q => a(n:1:-1)
    do i = 1, n
      p(i) = p(i)*q(i) + a(1)
    end do
    a = p*q
    q(1) = 2*q(1) + sin(p(n))
    y = a
  end subroutine f
end module m
