! Functions that read or change the variable that takes their result: in its module, in its host, through pointers, in common.
! head: m::f(y)/(x)
module m
  implicit none
  type t
    real(8) :: a, b
  end type
  type(t) :: g
  real(8) :: s, v(3)
  real(8), allocatable :: w(:)
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(4)
    real(8) :: own, c
    real(8), pointer :: p
    real(8), target :: a
    integer :: k
    common /shared_with_inner/ c
    s = x(1)
    v = x(1:3)
    s = scaled(x(2))
    v(2) = scaled(x(3))
    y(1) = s + v(2)
    g = t(x(1), x(2))
    allocate(w(3), source=x(1:3))
    do k = 1, 2
      g = both(x(3))
      w = some(x(k))
      w(2) = changing(x(1))
    end do
    y(2) = g%a + g%b*w(1) + w(2)
    own = x(1)
    own = of_host(x(2))
    a = x(2)
    p => a
    a = through(p, x(3))
    p = of_target(x(1))
    y(3) = own + a
    c = x(1)
    c = shared(x(2))
    y(4) = c
    deallocate(w)
  contains
    real(8) function of_host(z)
      real(8), intent(in) :: z
      of_host = z
      of_host = of_host*own + own
    end function
    real(8) function through(q, z)
      real(8), pointer, intent(in) :: q
      real(8), intent(in) :: z
      through = z
      through = through*q
    end function
    real(8) function of_target(z)
      real(8), intent(in) :: z
      of_target = z
      of_target = of_target*a
    end function
  end subroutine
  real(8) function scaled(z)
    real(8), intent(in) :: z
    scaled = z
    scaled = scaled*lower()
  end function
  real(8) function lower()
    lower = s + sum(v)
  end function
  function both(z) result(r)
    real(8), intent(in) :: z
    type(t) :: r
    r%a = z
    r%b = g%a*z
    r%a = r%a + g%b
  end function
  function some(z) result(r)
    real(8), intent(in) :: z
    real(8), allocatable :: r(:)
    allocate(r(3))
    r = z
    r(2) = w(1)*z
    r(1) = r(1) + w(2)
  end function
  real(8) function changing(z)
    real(8), intent(in) :: z
    changing = z
    w(2) = w(2)*z
    changing = changing*w(2)
  end function
  real(8) function shared(z)
    real(8), intent(in) :: z
    real(8) :: other
    common /shared_with_inner/ other
    shared = z
    shared = shared*other
  end function
end module
