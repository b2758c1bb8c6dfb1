subroutine fm(z, u)
real(8), allocatable, intent(out) :: z(:)
real(8), intent(in) :: u(:)
integer :: i
allocate(z(size(u)))
do i = 1, size(u)
  z(i) = sin(u(i))*u(1)
end do
end subroutine fm
