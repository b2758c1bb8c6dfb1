! head: m::f(y)/(x)
module m
  implicit none
  type base
    real(8) :: b(2) = 2
    real(8), allocatable :: w(:)
  end type
  type, extends(base) :: child
    integer :: k = 1
  end type
  type deep
    type(base) :: q
    integer, allocatable :: i(:)
  end type
contains
  ! Constructors with allocatable variables that may not be allocated, and with a parent that has such a component.
  real(8) function total(g)
    type(base), intent(in) :: g
    total = sum(g%b)
    if (allocated(g%w)) total = total*sum(g%w)
  end function total
  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(3)
    type(base) :: c
    type(child) :: g, h(2)
    type(deep) :: d
    real(8), allocatable :: v(:)
    integer, allocatable :: i(:)
    integer :: k
    y = 0
    do k = 1, 4
      if (k == 2) v = x
      if (k == 4) deallocate(v)
      c = base(x(1:2), v)
      y(1) = y(1) + total(c)*k
      c = base(c%b*k, c%w)
      y(1) = y(1) + total(c)*k
      g = child(base=c, k=k)
      y(2) = y(2)*x(1) + total(g%base)*g%k
      g = child(base=base(x(2:3), g%w), k=g%k+1)
      y(2) = y(2)*x(1) + total(g%base)*g%k
      h(1+k/3) = child(base=g%base)
      y(3) = y(3) + total(h(1+k/3)%base)
      if (k == 3) i = [k]
      d = deep(q=base(w=c%w), i=i)
      y(3) = y(3)*2 + total(d%q)
      if (allocated(d%i)) y(3) = y(3)*d%i(1)
    end do
  end subroutine f
end module m
