! head: m::f(y)/(x,y)
! size: n=5
! A selection whose default isn't its last case, in a loop that ends by a condition.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: k
    real(8) :: s, b(n)
    s = x(1)
    b = x
    k = 0
    do
      k = k + 1
      if (k >= 4) exit
      select case (k)
      case (1)
        b(1) = sin(b(1) + s)
      case default
        b(n:1:-1) = sin(b*x)
      case (2)
        s = sin(s*b(1))
      end select
    end do
    y = y*s + b
  end subroutine f
end module m
