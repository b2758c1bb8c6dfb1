! head: m::f(y)/(x)
! size: n=8
module m
  implicit none
  type t
    real(8), allocatable :: a(:)
    real(8), allocatable :: z
    real(8) :: s = 0
  end type
contains
  ! Constructors that leave allocatable components out, or give them `null()`.
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(t) :: w, h(2)
    integer :: k
    y = 0
    do k = 1, n
      w%s = x(1)*k
      if (.not. allocated(w%a)) w%a = [x(2), w%s]
      if (.not. allocated(w%z)) then
        allocate(w%z)
        w%z = x(k)**2
      end if
      y(k) = w%s*w%a(1)*w%z + w%a(2)
      if (mod(k, 2) == 1) w = t(s=w%s*2 + w%a(2))
      if (k == 2) w = t(a=w%a*w%s, z=null())
      y(k) = y(k) + w%s
    end do
    h = [t(s=x(1)), t(a=x)]
    if (.not. allocated(h(1)%a)) h(1)%a = [x(2)*h(1)%s]
    y(1) = y(1) + h(1)%a(1)*h(2)%a(1)*h(2)%a(2) + h(2)%s
    h = t(s=y(1)*x(1))
    y(2) = y(2) + h(1)%s*h(2)%s
  end subroutine f
end module m
