! head: f(y)/(x)
! layout: extend
! Saved state outside of modules: of internal procedures, heads over several lines, statements that share lines, recursion,
! names of derivatives, a module that has the usual name already.
module g_saved
real(8)::dummy=1
end module
real(8) function & ! head over lines
  & g( u, &
  &    b)  ! with comment
  implicit none
  real(8), intent(in) :: u
  real(8), intent(inout) :: b; integer, save :: n = 0
  real(8), save :: u_b = 0.5d0, b_d(2) = [1d0, 2d0]
  n = n + 1
  g = u*u_b + inner(b)*n
  u_b = sin(u)
contains
  real(8) function inner(z)
    real(8), intent(in) :: z
    real(8), save :: acc = 0
    acc = acc + z*b_d(1)
    b_d(2) = z
    b_d(1) = b_d(2)*acc
    inner = acc
  end function
end function
subroutine h(u); real(8), intent(inout) :: u; real(8), save :: last = 1; u = u*last; last = u; end subroutine
recursive subroutine rr(k, v)
  integer, intent(in) :: k
  real(8), intent(inout) :: v
  real(8), save :: t
  t = v*(k+1)
  v = sin(v)+1
  if (k > 0) call rr(k-1, v)
  v = v*t
end subroutine
subroutine f(x, y)
  use g_saved, only: dummy
  implicit none
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(3)
  interface
    real(8) function g(u, b)
      real(8), intent(in) :: u
      real(8), intent(inout) :: b
    end function
    subroutine h(u)
      real(8), intent(inout) :: u
    end subroutine
    recursive subroutine rr(k, v)
      integer, intent(in) :: k
      real(8), intent(inout) :: v
    end subroutine
  end interface
  integer :: i
  real(8), save :: own = 0
  y = x
  do i = 1, 3
    y(i) = g(x(i), y(i)) + own
    call h(y(i))
    own = y(i)*dummy
    call rr(1, y(i))
  end do
end subroutine
