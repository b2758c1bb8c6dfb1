! Variables named like modules whose derivative modules are used beside them, and modules named like derivatives.
! head: m::f(y)/(x)
! head: m::g(y)/(x)
module a
  implicit none
  real(8) :: k = 2
end module a

module x_d
  implicit none
  real(8) :: factor = 3
end module x_d

module x_b
  implicit none
  real(8) :: factor = 3
end module x_b

module m
  use a, only: kk => k
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8) :: a, k
    kk = x
    k = 2
    a = x**2
    y = a*kk*k
  end subroutine f

  subroutine g(x, y)
    use x_d, only: factor
    use x_b, only: other => factor
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    factor = x**2
    other = factor*x
    y = sin(factor)*x*other
  end subroutine g
end module m
