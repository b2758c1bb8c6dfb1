subroutine fd(n, a, b)
integer, intent(in) :: n
type(t), intent(inout) :: a(n)
type(t), intent(inout) :: b
integer :: i
do i = 1, n
  a(i)%s = sin(a(i)%s + b%v(mod(i, 3)+1))
  if (a(i)%s > 0.3d0) b%v(1) = b%v(1)*cos(a(i)%s)
  a(i)%v(2) = b%s*a(i)%v(2)/(1d0 + b%s**2)
end do
b%s = tanh(sum(a%s))
end subroutine fd
