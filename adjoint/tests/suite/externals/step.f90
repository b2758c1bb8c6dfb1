! Its adjoint uses `a` as it was before, and `y` as it is after.
subroutine step(n, a, y)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n), y(n)
  y = y*exp(0.1d0*a)
  a = a**2*0.3d0
end
subroutine step_d(n, a, ad, y, yd)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n), y(n), ad(n), yd(n)
  yd = yd*exp(0.1d0*a) + y*exp(0.1d0*a)*0.1d0*ad
  y = y*exp(0.1d0*a)
  ad = 2*a*ad*0.3d0
  a = a**2*0.3d0
end
subroutine step_b(n, a, ab, y, yb)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n), y(n), ab(n), yb(n)
  ab = 0.6d0*a*ab + 0.1d0*y*yb
  yb = exp(0.1d0*a)*yb
end
