function fa(n, u, s) result(r)
integer, intent(in) :: n
real(8), intent(in) :: u(n), s
real(8) :: r(n)
integer :: i
r(1) = sin(u(1)*s)
do i = 2, n
  r(i) = 0.5d0*r(i-1) + sin(u(i))*s
end do
r = r/(1d0 + r**2)
end function fa
