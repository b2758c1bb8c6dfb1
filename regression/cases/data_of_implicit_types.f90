! Data statements for variables whose types come from their names.
! head: m::f(y)/(x)
! size: x=1
module m
contains
  subroutine f(x, y)
    implicit real(8) (a-h, o-z)
    dimension x(1), coef(3)
    data (coef(i), i = 1, 3) /1.0d0, 0.5d0, 0.25d0/, k, w /2, 3d0/
    dimension ib(2)
    data ib /3, 2/
    y = coef(k)*x(1)**ib(1)*w
    do i = 1, 3
      y = y + coef(i)*x(1)**ib(2)
    end do
  end subroutine f
end module m
