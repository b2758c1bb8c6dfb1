! head: f(y)/(x)
! comparisons of bits, and of i/o status
subroutine f(x, y, i)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  integer, intent(in) :: i
  y = x**2
  if (bgt(i, 3)) y = x
  if (is_iostat_end(i)) y = 2*x
end subroutine
