! Values that are overwritten by increments and scalings, and needed by adjoints: of steps before, of other elements, in
! loops of any kind.
module m
  implicit none
  type state
    real(8) :: t
    real(8) :: v(3)
  end type state
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n), b(n), s, t
    real(4) :: coarse
    complex(8) :: z
    integer :: i
    y = 0d0
    a = x
    b = 1d0 + x**2
    ! Neighbours: the one before has its new value, the one after its old one.
    do i = 2, n-1
      y(i) = y(i) + a(i)**2
      a(i) = a(i) + 0.3d0*a(i-1)*b(i) - 0.2d0*a(i+1)**2
      y(i) = y(i) + sin(a(i))
    end do
    ! Neighbours that may be the element itself.
    do i = 1, n
      y(i) = y(i) + a(i)**3
      a(i) = a(i) + 0.1d0*a(mod(i*i, n) + 1)
    end do
    ! The increment is made of values that are lost after it.
    s = x(1)
    t = 0.5d0
    do i = 1, n
      t = 0.1d0*x(i)*b(i)
      y(i) = y(i) + s*s*t
      s = s + t*x(i)
      t = s*t
      y(i) = y(i) + t*t
    end do
    ! Scalings: by a divisor, by literals, by a factor that may be zero, and what is its own inverse.
    do i = 1, n
      y(i) = y(i) + cos(a(i))
      a(i) = a(i)/b(i)/2d0
      y(i) = y(i) + a(i)**2*x(i)
      a(i) = 3d0*a(i)
      y(i) = y(i) + a(i)**2*x(i)
      a(i) = a(i)*max(x(i) - 0.5d0, 0d0)
      y(i) = y(i) + a(i)**2
      a(i) = 0.7d0*x(i) - a(i)
      y(i) = y(i) + a(i)**2
      a(i) = -a(i)
      if (x(i) > 0.4d0) then
        y(i) = y(i) + exp(a(i))
        a(i) = a(i) + (x(i) - (b(i) - 0.1d0*y(1)))
      else
        a(i) = x(i)**2
      end if
      y(i) = y(i) + a(i)*b(i)
    end do
    ! Other types.
    z = cmplx(x(1), x(2), 8)
    coarse = 0.5
    do i = 1, n
      y(i) = y(i) + real(z*z, 8)
      z = z + cmplx(0.1d0*b(i), x(i), 8)
      y(i) = y(i) + 1d-3*coarse*i
      coarse = coarse + 0.25*i
    end do
    call unknown(n, x, y)
    call marched(n, x, y)
    call kept(n, x, y)
  end subroutine f

  ! Numbers of iterations that nobody knows before, and subscripts that are counted.
  subroutine unknown(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: s
    integer :: k
    s = 0.1d0 + x(1)**2
    k = 1
    do while (s < 2d0)
      y(k) = y(k) + s**3*x(k)
      s = s + 0.3d0 + x(k)**2
      k = k + 1
      if (k > n) k = k - n
    end do
    y(k) = y(k) + s
  end subroutine unknown

  ! A state that is carried through many steps.
  subroutine marched(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: u(100), g(100)
    integer :: i, step
    do i = 1, 100
      u(i) = x(mod(i, n) + 1)
    end do
    do step = 1, 4*n
      do i = 2, 99
        g(i) = 0.1d0*(u(i+1) - 2d0*u(i) + u(i-1)) + 0.01d0*sin(u(i))*step
      end do
      do i = 2, 99
        u(i) = u(i) + 0.5d0*g(i)
      end do
    end do
    do i = 1, n
      y(i) = y(i) + u(3*i)**2
    end do
  end subroutine marched

  ! Components, and memory of its own.
  subroutine kept(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    type(state) :: s
    real(8), allocatable :: w(:), e(:)
    integer :: i, j
    allocate(w(n), e(n))
    w = x
    e = x**2
    s%t = 0.1d0
    s%v = x(1)
    do i = 1, n
      do j = 1, 3
        y(i) = y(i) + s%v(j)**2*s%t
        s%v(j) = s%v(j) + e(i)*s%t
      end do
      s%t = s%t + 0.1d0*x(i)
      y(i) = y(i) + w(i)**2
      w(i) = w(i) - e(i)*x(i)
      y(i) = y(i) + w(i)**2
    end do
    deallocate(e)
    do i = 1, n
      y(i) = y(i) + w(i)
      w(i) = w(i) + x(i)
      y(i) = y(i)*w(i)
    end do
  end subroutine kept
end module m
