! head: m::h(y)/(x, m::all)
! refused: C0302 at 5
module m
  implicit none
  real(8) :: all(2, 3), low(2)
  equivalence (all(1, 1), low)
contains
  subroutine h(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    low = low*x
    y = sum(all)
  end subroutine h
end module m
