! Pointer components that have targets by default: those of derivatives lead to the derivatives of the targets.
! head: m::f(y)/(x)
module m
  implicit none
  real(8), target, save :: t(3) = 2.0d0, u(3) = 1.0d0
  type part
    real(8), pointer :: p(:) => t
    real(8) :: q = 3.0d0
  end type part
  type whole
    type(part) :: in
  end type whole
contains
  subroutine changed(a, x)
    type(whole), intent(inout) :: a
    real(8), intent(in) :: x(4)
    a%in%p = a%in%p*x(1:3)
    a%in%q = a%in%q*x(4)
    a%in%p => u
  end subroutine changed
  subroutine started(a, x)
    type(whole), intent(out) :: a
    real(8), intent(in) :: x(4)
    a%in%p(2) = a%in%p(2)*x(2)
    a%in%q = a%in%q*x(1)
  end subroutine started
  function returned(x) result(a)
    real(8), intent(in) :: x(4)
    type(part) :: a
    a%q = a%p(2)*x(3)
  end function returned
  recursive subroutine again(k, x)
    integer, intent(in) :: k
    real(8), intent(in) :: x(4)
    type(part) :: a
    a%p = a%p*x(2:4)
    a%p => u
    if (k > 0) call again(k-1, x)
    a%p = sin(a%p*a%q)
  end subroutine again
  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    type(whole) :: a
    type(part) :: b
    t = x(1:3)
    u = x(2:4)**2
    b%p = b%p*x(4)
    b = returned(x)
    b%p = b%p*b%q
    call changed(a, x)
    call changed(a, x)
    y = sum(t*u)*a%in%q
    call started(a, x)
    call again(2, x)
    call changed(a, x)
    y = y + sum(a%in%p*t)*a%in%q
    b = part(q=x(2))
    b%p = b%p*b%q
    y = y + sum(t)
  end subroutine f
end module m
