subroutine fi(k, u)
  integer, intent(in) :: k
  real(8), intent(in) :: u
  integer :: i
  s1 = sin(s1 + u)*0.8d0
  do i = 1, k
    a(i) = a(i)*cos(s1) + 0.1d0*u
    if (a(i) > 2d0) a(i) = 1d0/a(i)
  end do
end subroutine fi
