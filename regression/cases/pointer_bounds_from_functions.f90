! Pointers take bounds of their own, or another rank, for what functions point to.
! head: m::f(y)/(x)
module m
  implicit none
  type store
    real(8), pointer :: d(:) => null()
  contains
    procedure :: part
  end type
  type view
    real(8), pointer :: p(:) => null()
  end type
  real(8), target :: st(2, 3)
contains
  function part(self, k) result(p)
    class(store), intent(in) :: self
    integer, intent(in) :: k
    real(8), pointer :: p(:)
    p => self%d(k:)
  end function
  function columns(k) result(p)
    integer, intent(in) :: k
    real(8), pointer, contiguous :: p(:, :)
    p => st(:, k:)
  end function
  integer function place(k)
    integer, intent(in) :: k
    place = k - 1
  end function
  subroutine mix(k, v)
    integer, intent(in) :: k
    real(8), intent(in) :: v
    real(8), pointer :: w(:, :)
    w(0:, place(k):) => columns(k)
    w(0, place(k)) = w(0, place(k))*w(1, ubound(w, 2))*v
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    real(8), target :: u(4)
    real(8), pointer :: w(:), q(:, :)
    type(store) :: a
    type(view) :: b
    integer :: i
    st(:, :2) = reshape(x, [2, 2])
    st(:, 3) = x(3:)**2
    u = x**2
    a%d => u
    w(0:) => a%part(2)
    w(0) = w(1)*w(2)
    do i = 1, 3
      b%p(-i:) => a%part(i)
      b%p(-i) = b%p(1 - i)*x(i)
      call mix(i, x(i))
    end do
    q(0:1, 0:1) => columns(2)
    q(0, 1) = q(1, 0)*q(1, 1)
    w(5:) => a%part(5)
    w = w*x(1)
    w(1:4) => columns(2)
    y = sum(u)*(1 + size(w)) + sum(w*st(1, 1)) + sum(q) + b%p(-3)*lbound(b%p, 1)
  end subroutine
end module
