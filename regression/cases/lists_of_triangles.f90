! head: m::f(y)/(x)
! array constructors with loops whose numbers of values differ from iteration to iteration
module m
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: b(6), c(7), d(3)
    integer :: i, j
    b = [((x(i)*x(j), i=1,j), j=1,3)]
    c = [x(2), ((x(i)*x(j)*i, j=i,3), i=1,3)]
    d = [((x(i)*x(j)*i, i=1,j-2), x(j), j=2,1), ((x(i)*x(j)*i, i=1,j-2), j=0,3), x(1), x(3)]
    y = sum(b**2*[1d0,2d0,3d0,4d0,5d0,6d0]) + c(1)*c(2) + c(3)*c(4)**2 + sin(c(5)*c(6)) + c(7)*d(1)*d(2)*d(3)
  end subroutine
end module
