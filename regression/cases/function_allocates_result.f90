! A function returns memory that it allocates and computes values in: its statements are reversed in place of the call.
! head: m::f(y)/(x)
! size: n=3
module m
  implicit none
contains
  function target_of(v) result(q)
    real(8), intent(in) :: v
    real(8), pointer :: q
    allocate(q)
    q = v**2
  end function target_of
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8), pointer :: a
    a => target_of(x(1))
    y = a*x(2)
    deallocate(a)
  end subroutine f
end module m
