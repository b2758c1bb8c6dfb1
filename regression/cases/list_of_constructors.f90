! head: m::f(y)/(x)
! size: n=8
module m
  implicit none
  type inner
    real(8) :: q(2) = 1
    real(8) :: r = 3
  end type
  type outer
    real(8) :: p(3) = 0.5d0
    integer :: id = 0
    type(inner) :: i
  end type
contains
  ! Lists of structure constructors, with components that are left out and scalars for array components.
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(outer) :: h(3)
    integer :: k
    do k = 1, 3
      h(k)%p = x(1)*k
      h(k)%i%q = x(2)
      h(k)%i%r = x(1)
    end do
    y = h(1)%p(1)*h(2)%i%q(2)*h(3)%i%r*x
    h = [(outer(id=k, p=x(1)*k, i=inner(q=x(:2))), k=1, 2), outer(i=inner(r=x(2)))]
    y(1) = y(1) + h(1)%p(1)*h(2)%i%q(2)*h(3)%i%r + h(3)%p(1) + h(2)%p(3)**2
    h(3:1:-2) = [outer(id=4, i=inner(r=2)), outer(p=x(2)*h(1)%p, i=inner(q=x(1)))]
    y(2) = y(2) + sum(h(1)%p)*h(3)%p(1)*h(1)%i%r + h(3)%i%q(1)*h(2)%i%q(1)
    h([2]) = [outer(id=1, i=inner(r=x(3)))]
    y(3) = y(3) + h(2)%p(2)*h(1)%p(3)*h(2)%i%q(1)
    y(n) = y(n) + g([outer(p=h(1)%p(2), i=inner(r=1)), outer(id=3, i=inner(q=4))])
  end subroutine f
  real(8) function g(a)
    type(outer), intent(in) :: a(:)
    g = sum(a(1)%p)**2 + a(2)%i%r*a(1)%p(1)
  end function g
end module m
