! Allocatable arrays and scalars of types with allocatable components, or with arrays in arrays, become copies of others:
! they get the shape of the other, or keep the bounds that they have.
! head: m::f(y)/(x)
module m
  implicit none
  type part
    real(8), allocatable :: c(:)
  end type
  type whole
    type(part), allocatable :: k(:)
    type(part) :: one
  end type
  type fixed
    real(8) :: c(2)
  end type
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    type(whole), allocatable :: a(:), b(:)
    type(part), allocatable :: p, q, kept(:)
    type(fixed), allocatable :: g(:), h(:)
    integer :: i, step
    allocate (a(2), kept(2:3), g(0:1))
    do i = 1, 2
      allocate (a(i)%k(2))
      a(i)%k(1)%c = x(1:2)*i
      a(i)%k(2)%c = x
      a(i)%one%c = x
      g(i-1)%c = x(i)
    end do
    do step = 1, 3
      b = a
      do i = 1, 2
        a(i)%k(1)%c(:) = b(3-i)%k(1)%c*b(i)%k(2)%c(1)
        a(i)%one%c = b(i)%one%c - 0.1d0*b(3-i)%one%c(4:1:-1)
      end do
    end do
    kept = a(2)%k
    y = a(1)%one%c + b(2)%k(2)%c(3)*kept(2)%c(1)*lbound(kept, 1)
    allocate (p)
    p%c = x*y
    q = p
    y = y + q%c*p%c(4:1:-1)
    h = g
    y(1:2) = y(1:2)*h(0)%c
    h = [g, g(1)]
    y(3:4) = y(3:4)*h(3)%c*g(0)%c*size(h)
    h = g(1:1)
    y(3:4) = y(3:4)*h(1)%c(1)
  end subroutine
end module
