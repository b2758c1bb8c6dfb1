! head: q5::f(y)/(x)
! size: n=6
! a module target is assigned through a local pointer
module q5
  implicit none
  real(8), target :: s
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)

    call g(x(1))
    y = s + x
  end subroutine f
  subroutine g(a)
    real(8), intent(in) :: a
    real(8), pointer :: p
    p => s
    p = a*a
  end subroutine g
end module q5
