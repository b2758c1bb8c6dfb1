function fb(u) result(r)
real(8), intent(in) :: u(:)
real(8), allocatable :: r(:)
r = u
if (size(u) > 2) then
  r(2) = sin(u(2))*u(1)
end if
r = r*cos(r(1))
end function fb
