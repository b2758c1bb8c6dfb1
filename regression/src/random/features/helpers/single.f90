subroutine fs(s, u, v)
real, intent(inout) :: s
real(8), intent(in) :: u
real(8), intent(inout) :: v
s = sin(s + real(u))
v = tanh(v*s)
end subroutine fs
