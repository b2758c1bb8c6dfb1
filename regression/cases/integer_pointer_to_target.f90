! head: m::head(y)/(x)
! size: n=6
! an index is changed through a pointer that is associated with it from the start
module m
  implicit none
  integer, target, save :: k = 1
  integer, pointer, save :: ip => k
contains
subroutine head(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  k = 2
  y = x(k)*x(k)
  ip = 3
  y = y*x(k)
  ip = 4
  y = y + sin(x(k))*y
end subroutine
end module
