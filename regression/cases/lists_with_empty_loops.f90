! head: m::f(y)/(x)
! value: n=-1
! array constructors with loops whose bounds are the wrong way round: they give no values
module m
contains
  subroutine f(x, y, n)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    integer, intent(in) :: n
    real(8) :: a(4)
    integer :: i, j
    a = [(x(i), i=1,n), x(1), x(2)**2, x(3), x(1)*x(2), ((x(i), i=1,n), j=1,2)]
    y = a(1) + 2*a(2) + 3*a(3)*a(4)
    y = y + sum([x(1:n), x(2), (x(i), i=3,n), x(1)]*[2d0, x(3)])
  end subroutine
end module
