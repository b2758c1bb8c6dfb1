! Which block of a `select rank` runs isn't followed: a block that sets a constant doesn't make the others passive.
! head: m::f(y)/(x)
! refused: C0401 at 11
module m
  implicit none
contains
  subroutine reduced(a, r)
    real(8), intent(in) :: a(..)
    real(8), intent(out) :: r
    r = 1
    select rank (a)
    rank (1)
      r = sum(a**2)
    rank default
      r = 0
    end select
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    call reduced(x, y)
  end subroutine
end module
