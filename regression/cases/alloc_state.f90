module m
  implicit none
  integer, parameter :: dp = kind(1d0)
  type state
    integer :: n
    real(dp), allocatable :: a(:)
  end type

contains
  subroutine create(s, n, x)
    type(state), intent(out) :: s
    integer, intent(in) :: n
    real(dp), intent(in) :: x(:)
    s%n = n
    allocate(s%a(n))
    s%a = 1 + x
  end subroutine
  subroutine step(s)
    type(state), intent(inout) :: s
    real(dp) :: old(s%n)
    old = s%a
    s%a(2:) = old(2:)*old(:s%n-1)
  end subroutine
  subroutine destroy(s)
    type(state), intent(inout) :: s
    if (allocated(s%a)) deallocate(s%a)
  end subroutine

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(dp), intent(in) :: x(n)
    real(dp), intent(out) :: y(n)
    type(state) :: s, t
    integer :: k
    call create(s, n, x)
    do k = 1, 3
      call step(s)
    end do
    t = s
    call step(t)
    y = s%a*t%a
    call destroy(s)
    call create(s, n, y)
    y = y + s%a(n:1:-1)

  end subroutine f
end module m
