! head: m::f(y,x)/(x)
! size: n=6
! A variable of the host is used in internal procedures only.
module m
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    real(8), intent(out) :: y
    real(8) :: asave
    integer :: j
    do j = 1, n
      call one()
      call two()
    end do
    y = sum(x)
  contains
    subroutine one()
      asave = x(j)
      x(j) = x(j)**2
    end subroutine
    subroutine two()
      if (x(j) > 0.5d0) x(j) = asave
    end subroutine
  end subroutine
end module
