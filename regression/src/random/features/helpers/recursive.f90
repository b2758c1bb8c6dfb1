recursive function fr(k, u) result(r)
integer, intent(in) :: k
real(8), intent(in) :: u
real(8) :: r
if (k <= 0) then
  r = u
  return
end if
r = sin(u)*fr(k-1, 0.5d0*u + 0.2d0) + 0.1d0*u**2
end function fr
