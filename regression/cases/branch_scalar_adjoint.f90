module m
  implicit none
contains
  ! The adjoint of s begins at zero whether the branch is taken or not.
  subroutine f(n,x,y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: s, t
    y = 0.7d0*x
    s = 0.5d0*x(1)
    t = x(2)**2
    if (y((n+1)/2) >= 10d0) then
      y(1) = s
    end if
    if (y(1) < 10d0) then
      y(2) = t
    end if
  end subroutine f
end module m
