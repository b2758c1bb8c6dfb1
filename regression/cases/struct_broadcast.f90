module m
  implicit none
  type t
    real(8) :: c(2), s = 2.0d0
  end type
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(t) :: v(3), w(2, 2)
    v = t(x(1:2)**2, x(3))
    v(2:3) = t(s=x(5)*x(1), c=[x(4), 1.0d0])
    w = t([x(2), x(1)*x(2)])
    w(:, 2) = t(0.5d0)
    y = v(2)%c(1)*v(3)%s*v(1)%c(2)*x + sum(w%s)*w(1, 1)%c(2)*w(2, 2)%c(1)
  end subroutine
end module m
