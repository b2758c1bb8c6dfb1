elemental subroutine fe(u, v)
real(8), intent(in) :: u
real(8), intent(inout) :: v
if (u > 0.1d0) then
  v = sin(v*u)
else
  v = v + 0.1d0*u**2
end if
end subroutine fe
