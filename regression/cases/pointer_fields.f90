! head: m::f(y)/(x)
! size: n=4
! arrays of a type with pointer components
module m
  implicit none
  type field
    real(8), pointer :: v(:) => null()
    real(8) :: w = 1
  end type field
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(field) :: s(3), t
    real(8), target :: a(n), b(n)
    integer :: i, k
    a = x*x
    b = sin(x)
    s(1)%v => a
    s(2)%v => b
    s(3)%v => a(2:)
    s(1)%w = x(1)
    s(2)%w = x(2)
    s(3)%w = x(1)*x(2)
    do k = 1, 3
      do i = 1, n - 1
        s(k)%v(i) = s(k)%v(i)*s(k)%w
      end do
    end do
    t = s(3)
    s(3) = s(2)
    y = a*b + t%w*sum(s(3)%v)
    y(1) = y(1)*t%v(1)
  end subroutine f
end module m
