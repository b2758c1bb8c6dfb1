! Array constructors of objects with allocatable components: each element is given its object, after all were evaluated
! where the array is among them; memory that is freed with that of its components moves to a save and back.
! head: m::f(y)/(x)
module m
  implicit none
  type values
    real(8), allocatable :: v(:)
  end type values
  type layer
    type(values) :: first
    type(values), allocatable :: more(:)
    real(8) :: b = 1.0d0
  end type layer
  type net
    type(values), allocatable :: l(:)
    real(8) :: s
  end type net
contains
  function squares(x) result(r)
    real(8), intent(in) :: x(:)
    type(values) :: r
    r%v = x*x
  end function squares
  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    type(net) :: n
    type(values) :: a, fixed(0:1)
    type(values), target :: pair(2)
    type(layer), allocatable :: l(:)
    real(8), pointer :: p(:)
    integer :: i, k
    y = 1.0d0
    do k = 1, 2
      n%l = [values(x(1:2)*y), squares(x(2:4))]
      y = y + sum(n%l(1)%v)*product(n%l(2)%v)
      if (k == 2) then
        a = n%l(2)
        n%l = [a, values(n%l(1)%v*x(3)), values(v=x)]
      end if
      y = sin(y) + n%l(size(n%l))%v(1)
    end do
    fixed = [values(x(1:2)), values(x(3:4))]
    fixed = [fixed(1), fixed(0)]
    fixed(1:0:-1) = [values(fixed(0)%v), values(x*x)]
    y = y*fixed(0)%v(1)*sum(fixed(1)%v)
    l = [layer(values(x(1:2)), [values(x), values(x(2:3)*y)]), layer(values(x(3:4)*2), [squares(x)], x(1))]
    do i = 1, size(l)
      y = y + product(l(i)%first%v)*sum(l(i)%more(1)%v)*l(i)%b
    end do
    pair = [values(x(1:2)), values(x(3:4))]
    p => pair(1)%v
    pair = [values(x(3:4)*y), values(p)]
    y = y + pair(1)%v(1)*pair(2)%v(2)
  end subroutine f
end module m
