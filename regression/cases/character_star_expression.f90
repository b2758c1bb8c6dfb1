! head: f(y)/(x)
! A character length in parentheses after the name.
subroutine f(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  integer, parameter :: n = 4
  character dim_name*( n )
  dim_name = 'ab'
  y = x**2
end subroutine
