module m
  implicit none
  abstract interface
    real(8) function fn(a)
      real(8), intent(in) :: a
    end function
    subroutine work(n, a, r)
      integer, intent(in) :: n
      real(8), intent(in) :: a(n)
      real(8), intent(inout) :: r(n)
    end subroutine
  end interface
contains
  pure real(8) function sq(a)
    real(8), intent(in) :: a
    sq = a*a
  end function

  subroutine scaled(n, a, r)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8), intent(inout) :: r(n)
    r = r*a + sum(a)
  end subroutine

  real(8) function pr(a, b)
    real(8) :: a, b
    pr = a*sin(b)
  end function

  subroutine step(h, a, b)
    procedure(fn) :: h
    real(8), intent(in) :: a
    real(8), intent(inout) :: b
    integer :: k
    do k = 1, 2
      b = b*h(a + 0.1d0*b)
    end do
  end subroutine

  recursive subroutine halves(h, a, b, n, r)
    procedure(fn) :: h
    real(8), intent(in) :: a, b
    integer, intent(in) :: n
    real(8), intent(out) :: r
    real(8) :: left, right
    if (n == 0) then
      r = (b - a)*h(0.5d0*(a + b))
    else
      call halves(h, a, 0.5d0*(a + b), n - 1, left)
      call halves(h, 0.5d0*(a + b), b, n - 1, right)
      r = left + right*h(left)
    end if
  end subroutine

  subroutine all_steps(x, y, g)
    real(8), intent(in) :: x(3)
    real(8), intent(inout) :: y(3)
    procedure(fn) :: g
    integer :: i
    do i = 1, 3
      call step(g, x(2), y(i))
      if (g(y(i)) > 0.3d0) y(i) = y(i)**2
    end do
  end subroutine

  subroutine f(x, y, p, q, e)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(3)
    procedure(fn) :: p
    procedure(work) :: q
    real(8), external :: e
    real(8) :: r
    y = x
    call all_steps(x, g=p, y=y)
    call q(3, x, y)
    call q(0, x, y)
    call q(1, y(3), y(1))
    call halves(p, 0d0, x(1), 2, r)
    y(2) = y(2)*e(r, 2*x(3)) + e(0.5d0, y(1))*e(x(2), 0.25d0*x(3))
  end subroutine
end module
