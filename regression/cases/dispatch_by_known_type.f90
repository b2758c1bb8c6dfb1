! head: m::f(y)/(x)
! size: n=4
! bindings and `select type` that the dynamic type of an argument decides, where each call says what that is
module shapes
implicit none
type, abstract :: shape
 real(8) :: s = 1
contains
 procedure(area_i), deferred :: area
 procedure :: grow
 procedure :: total
end type
abstract interface
 real(8) function area_i(self, k)
 import shape
 class(shape), intent(in) :: self
 real(8), intent(in) :: k
 end function
end interface
type, extends(shape) :: square
 real(8) :: a
contains
 procedure :: area => square_area
end type
type, extends(shape) :: disc
 real(8) :: r
contains
 procedure :: area => disc_area
 procedure :: grow => disc_grow
end type
contains
real(8) function square_area(self, k)
class(square), intent(in) :: self
real(8), intent(in) :: k
square_area = self%a**2*k*self%s
end function
real(8) function disc_area(self, k)
class(disc), intent(in) :: self
real(8), intent(in) :: k
disc_area = 3.14d0*self%r**2*k
end function
subroutine grow(self, by)
class(shape), intent(inout) :: self
real(8), intent(in) :: by
self%s = self%s*by
end subroutine
subroutine disc_grow(self, by)
class(disc), intent(inout) :: self
real(8), intent(in) :: by
self%r = self%r*by
self%s = self%s*by
end subroutine
subroutine total(self, n, t)
class(shape), intent(inout) :: self
integer, intent(in) :: n
real(8), intent(out) :: t
integer :: i
t = 0
do i = 1, n
 t = t + self%area(1d0*i)
 call self%grow(1 + 0.1d0*t)
end do
end subroutine
end module
module m
use shapes
implicit none
type base
 real(8) :: a
end type
type, extends(base) :: child
 real(8) :: b
end type
type, extends(child) :: grand
 real(8) :: c(2)
end type
contains
subroutine ev(o, v, r)
class(base), intent(inout) :: o
real(8), intent(in) :: v
real(8), intent(out) :: r
select type (o)
type is (child)
 r = o%a*v + o%b*v**2
 o%b = o%b*v
class is (child)
 r = o%a*v**3
 o%a = r
class default
 r = o%a*v
end select
end subroutine
subroutine twice(p, v, r)
class(base), intent(inout) :: p
real(8), intent(in) :: v
real(8), intent(out) :: r
real(8) :: t
call ev(p, v, t)
call ev(p, t, r)
select type (q => p)
class is (grand)
 r = r + sum(q%c)*v
end select
end subroutine
subroutine f(n,x,y)
integer, intent(in) :: n
real(8), intent(in) :: x(n)
real(8), intent(out) :: y(n)
type(square) :: q
type(disc) :: d(2)
type(child) :: c
type(base) :: b
type(grand) :: g
integer :: i
c%a = x(1); c%b = x(2); b%a = x(3)
g%a = x(1)*x(2); g%b = 1; g%c = x(2:3)
do i=1,2
 call ev(c, x(i), y(i))
 call twice(b, x(i), y(i+1))
 call twice(g, x(i)+0.5d0, y(i+2))
end do
call twice(c, y(1), y(4))
q%a = x(1); d%r = x(2:3)
call q%total(2, y(1))
do i = 1, 2
 call d(i)%total(i, y(1+i))
end do
y(4) = y(4) + q%area(x(4)) + both(d(1), q)
end subroutine
real(8) function both(a, b)
class(shape), intent(in) :: a, b
both = a%area(2d0)*b%area(b%s)
end function
end module
