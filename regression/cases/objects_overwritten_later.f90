! head: top(y)/(x, u)
! head: twice(y)/(x, u)
! head: memory(y)/(x)
! head: inherited(y)/(x, u)
! size: n=4
! What a call computes is overwritten later: its adjoint sets to zero what the call assigns, and leaves other components of the
! object alone.
module objects_overwritten_later
  implicit none
  type :: base_t
    real(8) :: s = 0.3d0, v = 0.2d0
  end type base_t
  type, extends(base_t) :: more_t
    real(8) :: w(2) = 0.4d0
  end type more_t
  type :: held_t
    real(8), allocatable :: q(:), r(:)
    real(8) :: v = 0.1d0
    type(base_t) :: b
  end type held_t
contains
  subroutine one(b, u)
    class(base_t), intent(inout) :: b
    real(8), intent(in) :: u
    b%s = 0.09d0*b%v + 0.3d0*u**2
  end subroutine one

  subroutine top(x, u, y)
    real(8), intent(in) :: x, u
    real(8), intent(out) :: y
    type(base_t) :: b
    b%v = x**2
    call one(b, u)
    b%s = b%v*u
    y = b%s
  end subroutine top

  subroutine twice(x, u, y)
    real(8), intent(in) :: x, u
    real(8), intent(out) :: y
    type(base_t) :: b(2)
    b(1)%v = x**2
    b(2)%v = x*u
    call one(b(1), u)
    call one(b(2), u)
    call one(b(1), x)
    b(2)%s = b(1)%s*b(2)%v*b(1)%v
    y = b(2)%s
  end subroutine twice

  subroutine renewed(h, k)
    type(held_t), intent(inout) :: h
    integer, intent(in) :: k
    if (allocated(h%r)) deallocate (h%r)
    allocate (h%r(k))
    h%r = h%v*2
    h%b%s = h%v**2
  end subroutine renewed

  subroutine memory(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(held_t) :: h
    h%q = x
    h%v = x(1)
    h%b%v = x(n)
    call renewed(h, n)
    h%r = h%q*x
    h%b%s = 0.5d0
    y = h%r*h%v + h%b%s*h%b%v
  end subroutine memory

  subroutine inherited(x, u, y)
    real(8), intent(in) :: x, u
    real(8), intent(out) :: y
    type(more_t) :: m
    m%v = x*u
    m%w = [x, u]
    call one(m, u)
    call one(m%base_t, x)
    m%s = m%v*m%w(1)*m%w(2)
    y = m%s
  end subroutine inherited
end module objects_overwritten_later
