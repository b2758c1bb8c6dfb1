subroutine fo(a, b, c, d)
real(8), intent(in) :: a
real(8), intent(inout) :: b
real(8), intent(in), optional :: c
real(8), intent(inout), optional :: d
if (present(c)) then
  b = sin(b + c*a)
else
  b = b*cos(a)
end if
if (.not. present(d)) return
d = 0.5d0*d + sin(a*b)
end subroutine fo
