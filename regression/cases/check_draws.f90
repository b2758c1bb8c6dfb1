! head: head(y)/(a,b,c,d,e,f)
! a determinant that is zero where values drawn for dummies in a row are in arithmetic progression
subroutine head(a, b, c, d, e, f, y)
  implicit none
  real(8), intent(in) :: a, b, c, d, e, f
  real(8), intent(out) :: y
  y = 1d0/((b - a)*(f - d) - (c - a)*(e - d))
end subroutine
