! head: m::f(y)/(x)
! size: n=6
! the variable of an inner loop, changed by a time loop, is a subscript before and assigned after it
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    integer :: m1
    real(8) :: s1
    real(8) :: a(n)
    integer :: hij
    y = 0.7d0*x
    m1 = 2
    s1 = 0.5d0*x(1)
    a = 0.3d0*x
    hij = 1
    call h1(n, y, s1, a(hij))
    do i = 1, n
      do hij = 1, n
        ! an internal procedure uses it
        call hitwo()
      end do
      hij = 1
    end do
    y(n) = y(n) + s1
  contains
    subroutine hitwo()
      if (y(hij) > 0.3d0) y(hij) = s1*y(1)
    end subroutine hitwo
  end subroutine f
  subroutine h1(n, d1, d2, d3)
    integer, intent(in) :: n
    real(8), intent(inout) :: d1(n)
    real(8), intent(inout) :: d2
    real(8), intent(in) :: d3
    d2 = 0.7d0*d1(1)*d2*d3
    d1(1) = d2**2
  end subroutine h1
end module m
