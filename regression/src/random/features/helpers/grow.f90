subroutine fg(z, s)
real(8), allocatable, intent(inout) :: z(:)
real(8), intent(in) :: s
real(8), allocatable :: old(:)
if (size(z) > 4) then
  z = z(1:2)
  return
end if
call move_alloc(z, old)
allocate(z(size(old)+1))
z(1:size(old)) = old
z(size(z)) = sin(s*old(1))
end subroutine fg
