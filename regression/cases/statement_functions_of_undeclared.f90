! head: m::f(y)/(x,y)
! head: m::g(y)/(x)
! head: h(y)/(x)
! Statement functions that mention variables which no declaration has given a type: of a common block, local ones, dummies.
module m
contains

  subroutine f(x, y)
    implicit real(8) (a-h, o-z)
    real(8), intent(in) :: x(4)
    real(8), intent(inout) :: y(4)
    real(8) :: q
    common /work/ scal
    sqf(q) = q*q + scal
    scal = x(1)*3d0
    y(1) = y(1) + sqf(y(1))
    do i = 2, 4
      y(i) = sqf(x(i))*y(i)
      scal = scal*x(i)
    end do
  end subroutine f

  subroutine g(x, y)
    implicit real(8) (a-h, o-z)
    dimension x(3)
    intent(in) x
    intent(out) y
    integer :: k
    real(8) :: z
    common /table/ c(3), n
    lin(k) = k + n - 1
    poly(z) = c(1) + z*(c(2) + z*(c(3) + w))
    twice(z) = 2*poly(z)*b
    n = 1
    w = x(1)*x(2)
    b = sin(x(3))
    c = x**2
    y = twice(x(2)) + c(lin(2))
  end subroutine g

end module m

subroutine h(x, y)
  implicit double precision (p-w)
  double precision x(2), y, u
  common /other/ scale
  parameter (three = 3d0)
  root(u) = sqrt(u*scale + t)
  scale = three*x(1)
  t = x(2)**2
  y = root(x(2)) + root(three)
end subroutine h
