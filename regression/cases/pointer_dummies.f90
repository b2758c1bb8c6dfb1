! head: m::f(y)/(p,q)
! size: n=5
! pointer dummies of the head
module m
  implicit none
contains
  subroutine f(n, p, q, y)
    integer, intent(in) :: n
    real(8), pointer, intent(in) :: p(:)
    real(8), pointer :: q(:)
    real(8), intent(out) :: y(n)
    real(8), pointer :: r(:)
    r => p
    y = r*q
    r => q
    r(1) = r(2)*p(1)
    y = y + r
  end subroutine f
end module m
