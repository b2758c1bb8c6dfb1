! Single precision on the way to one output and not to the other.
module m
  implicit none
contains
  subroutine f(n, x, y, z)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n), z(n)
    y = exp(0.1*x)
    z = x*real(x**2, kind(1.0))
  end subroutine f
end module m
