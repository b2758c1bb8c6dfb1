! head: m::f(y,z)/(x,c)
! In single precision a primal may round to so few values that small steps change nothing, although its derivatives are
! right: `1 + c*x` holds few digits of `c*x`. A kink lies within the larger steps.
module m
  implicit none
contains
  subroutine f(n, x, c, y, z)
    integer, intent(in) :: n
    real(4), intent(in) :: x(n), c
    real(4), intent(out) :: y(n), z(n)
    real(4) :: t, s
    integer :: i
    s = 0
    do i = 1, n
      t = 1 + 2e-5*c*x(i)
      s = s + 1e4*(t - 1)*max(x(i), 0.45)
      y(i) = s + x(i)**2
      z(i) = c*x(i)**2
    end do
  end subroutine f
end module m
