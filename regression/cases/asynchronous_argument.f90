! head: m::f(y)/(x)
! The attribute `asynchronous`, which is another one than `volatile`, as an attribute and as a statement.
module m
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in), asynchronous :: x(3)
    real(8), intent(out) :: y(3)
    real(8), volatile :: t
    real(8) :: w(3)
    asynchronous :: w
    t = x(1)**2
    w = x*t
    y = w + t
  end subroutine f
end module m
