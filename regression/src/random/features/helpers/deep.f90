subroutine fk(a, u)
type(td), intent(inout) :: a
real(8), intent(in) :: u
integer :: i
do i = 1, 2
  a%row(i)%v(i) = sin(a%row(i)%s*u)
  a%g(i+1) = a%g(i)*cos(a%row(3-i)%v(2))
end do
a%row%s = tanh(a%row%s + a%g(3))
end subroutine fk
