subroutine fc(how, a, b)
character(*), intent(in) :: how
real(8), intent(in) :: a
real(8), intent(inout) :: b
select case (how)
case ('up', 'upper')
  b = sin(b + a)
case ('down')
  b = b*cos(a)
case default
  if (len_trim(how) > 2) b = tanh(b*a)
end select
end subroutine fc
