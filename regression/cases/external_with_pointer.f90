! head: top(y)/(x)
! size: n=4
! an external procedure associates a pointer dummy with a part of a target
subroutine pick(a, k, p)
  implicit none
  real(8), target, intent(inout) :: a(:)
  integer, intent(in) :: k
  real(8), pointer, intent(out) :: p(:)
  p => a(k:)
end subroutine
subroutine top(n, x, y)
  implicit none
  interface
    subroutine pick(a, k, p)
      real(8), target, intent(inout) :: a(:)
      integer, intent(in) :: k
      real(8), pointer, intent(out) :: p(:)
    end subroutine
  end interface
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  real(8), target :: w(n)
  real(8), pointer :: p(:)
  w = x
  call pick(w, 2, p)
  p = p**2
  call pick(w, 3, p)
  p = p*sin(w(1))
  y = w
end subroutine
