! head: m::f(y)/(x)
! head: m::g(y)/(x)
! head: m::h(y)/(x)
! A parent component and what it holds are one memory: assigned as a whole, by a constructor that reads the object, passed
! beside inherited components; and given to a constructor without its name (as compilers take it).
module m
  implicit none
  type :: base
    real(8) :: a = 2d0
    integer :: k = 1
  end type base
  type, extends(base) :: child
    real(8) :: b(2) = [3d0, 4d0]
  end type child
  type, extends(child) :: grand
    real(8) :: z = 0
  end type grand
  type :: room
    real(8), allocatable :: a(:)
  end type room
  type, extends(room) :: house
    real(8) :: b(2) = [3d0, 4d0]
    type(room) :: o
  end type house
  type :: item
    real(8) :: a(2) = 0
    type(item), pointer :: next => null()
  end type item
  type, extends(item) :: larger
    real(8) :: b(2) = [3d0, 4d0]
  end type larger
contains
  subroutine mix(p, v, r)
    type(base), intent(in) :: p
    real(8), intent(in) :: v
    real(8), intent(out) :: r
    r = p%a*v*p%k
  end subroutine mix

  subroutine update(p, v)
    type(base), intent(inout) :: p
    real(8), intent(in) :: v
    p%a = p%a*v
    p%k = p%k + 1
  end subroutine update

  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    type(grand) :: c, d
    type(base) :: s
    integer :: i
    c%a = x(1)
    c%b = x(2:3)
    c%base = base(k=c%k + 1, a=c%a*c%b(1)*c%k)
    do i = 1, 3
      s = c%base
      c%a = c%a*s%a*x(4)
      c%base = s
      c%a = c%a*c%b(1)
      call mix(c%base, c%child%a, y(1))
      call update(c%base, c%b(2))
      call update(c%child%base, c%child%b(1))
      c%child = child(c%base, c%b*c%base%a)
      c%child%base = base(c%base%a*c%a, 2*c%k)
      d = c
      d%base = c%base
      d%child = d%child
      c%base = d%base
    end do
    y(2) = d%a*c%k
    y(3) = c%a*d%base%k*c%b(1)
    y(4) = sum(d%b)
  end subroutine f

  subroutine g(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    type(house) :: c, e(2)
    type(room) :: s, w(2)
    integer :: i
    c%a = x(1:2)
    c%b = x(2:3)
    c%o%a = x(3:4)
    e(1) = c
    e(2) = c
    do i = 1, 3
      s = c%room
      c%a = c%a*s%a*x(4)
      c%room = c%o
      c%o = s
      c%a(1) = c%a(2)*c%b(1)*c%room%a(1)
      c%room = room(c%a*c%o%a)
      e(1)%room = room(c%a*e(2)%a)
      e(2)%room = e(1)%room
      e(2)%o = e(2)%room
      e(2)%room = room(e(2)%a*e(2)%o%a)
      w = e%room
      e(1)%a = w(2)%a*w(1)%a*0.1d0
    end do
    y(1:2) = c%a*e(1)%a
    y(3:4) = c%o%a + e(2)%o%a*e(1)%room%a(2)
  end subroutine g

  subroutine h(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    type(larger) :: c, l
    type(item), target :: b, t
    b = item(x(1:2))
    t = item(x(3:4), b)
    c = larger(b, x(3:4))
    y(1:2) = c%a*c%b
    c = larger(b)
    l = larger(t, c%b*x(1))
    y(3) = l%next%a(1)*l%a(2)*sum(l%b)*sum(c%b*c%a)
    y(4) = l%item%a(1)
  end subroutine h
end module m
