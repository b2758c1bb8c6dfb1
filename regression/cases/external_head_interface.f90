! head: top(y)/(x)
! size: x=6 y=6
! the head itself needs an explicit interface; extents of a dummy by other dummies and by a constant
subroutine part(a, m, b)
  implicit none
  integer, parameter :: k = 2
  integer, intent(in) :: m
  double precision, intent(in) :: a(k*m)
  double precision, intent(inout) :: b(:)
  b = b + a(1:2*m:2)*a(2)
end subroutine
subroutine top(x, y)
  implicit none
  double precision, intent(in) :: x(:)
  double precision, intent(out) :: y(:)
  interface
    subroutine part(a, m, b)
      integer, parameter :: k = 2
      integer, intent(in) :: m
      double precision, intent(in) :: a(k*m)
      double precision, intent(inout) :: b(:)
    end subroutine
  end interface
  y = x**2
  call part(x, size(x)/2, y(1:size(x)/2))
end subroutine
