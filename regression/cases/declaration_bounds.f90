module m
  implicit none
  type state
    integer :: n
    real(8) :: a(8)
  end type state
contains
  subroutine smooth(s, k, l, a)
    type(state), intent(in) :: s
    integer, intent(in) :: k, l
    real(8), intent(inout) :: a(l:k)
    real(8) :: old(s%n)
    old = a(l:l+size(old)-1)
    a(l+1:l+size(old)-1) = a(l+1:l+size(old)-1)*old(:size(old)-1)
  end subroutine smooth
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(state) :: s, t
    integer :: k, l
    ! Values that only the callee's declarations use.
    s%n = n
    s%a(1:n) = x
    k = 2*n - 1
    l = n
    t = s
    call smooth(t, k, l, s%a(1:n))
    k = n/2
    l = 1
    t%n = k
    y = s%a(1:n)
    call smooth(t, k, l, y)
  end subroutine f
end module m
