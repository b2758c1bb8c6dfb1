! head: m::f(y)/(x)
! blank common between other blocks, with commas before slashes and without
module m
contains
  subroutine g(x)
    real(8), intent(in) :: x
    real(8) :: a, b, c, data(2)
    common /data/ data, / / a, b // c
    a = x
    b = x**2
    c = 2*x
    data(:) = [x, 3*x]
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8) :: a, b, c, d(2)
    common a, b, c, /data/ d
    call g(x)
    y = a*b*c*sin(d(1))*d(2)
  end subroutine
end module
