! Internal procedures called in the forward sweep's copy of a procedure that associates pointers.
! head: m::f(y)/(x)
module m
  implicit none
  real(8), target :: a(3), b(3)
  real(8), pointer :: p(:) => null()
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    a = x(1)
    b = x(n)**2
    p => a
    y = 0
    do i = 1, n
      call turn(i, x(i), y(i))
      y(i) = y(i)*p(1)
      p = p*cos(y(i))
    end do
  end subroutine f
  subroutine turn(k, v, r)
    integer, intent(in) :: k
    real(8), intent(in) :: v
    real(8), intent(inout) :: r
    real(8) :: t
    integer :: other
    other = k
    t = v
    call scale(t)
    if (odd(other)) call set(.true.)
    if (.not. odd(other)) call set(.false.)
    r = r + t*p(2)
  contains
    subroutine scale(w)
      real(8), intent(inout) :: w
      w = sin(w)*v
      other = merge(k, other + 2, w > 0)
    end subroutine scale
    logical function odd(j)
      integer, intent(in) :: j
      odd = mod(j + other, 4) < 2
    end function odd
    subroutine set(first)
      logical, intent(in) :: first
      if (first) then
        p => a
      else
        p => b
      end if
    end subroutine set
  end subroutine turn
end module m
