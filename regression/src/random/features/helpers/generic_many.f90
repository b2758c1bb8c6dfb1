subroutine gn2(a, b)
real(8), intent(in) :: a(:)
real(8), intent(inout) :: b(:)
integer :: i
do i = 1, size(b)
  call gn(a(i)*0.5d0, b(i))
end do
b = b/(1d0 + a**2)
end subroutine gn2
