! head: m::f(y)/(x)
! bounds of forall that are components of what it assigns, elements of it, or values of functions
module m
  implicit none
  type list
    integer :: n = 4
    real(8) :: a(4) = 0
  end type list
contains
  pure integer function half(k)
    integer, intent(in) :: k
    half = k/2
  end function half

  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    type(list) :: l
    integer :: i, j, k(3)
    k = [4, 2, 1]
    forall (i=1:l%n) l%a(i) = x(i)**2
    forall (i=1:half(l%n), j=2:3, i /= j) l%a(i) = x(i)*l%a(i + 2)
    forall (i=1:k(2)) k(i) = k(i + 1)
    forall (i=k(2):k(1), l%a(1) > 0) l%a(i) = x(i)*k(1)
    y = l%a
  end subroutine f
end module m
