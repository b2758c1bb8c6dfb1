! head: m::f(y)/(x)
! head: m::in_loop(y)/(x)
! head: m::component(y)/(x)
! size: n=5
! what a call changes through a pointer, and then lets that pointer go to other memory, is restored where it was
module m
  implicit none
  type holder
    real(8), pointer :: v(:)
  end type holder
contains
  subroutine change(p, a, k)
    real(8), pointer, intent(inout) :: p(:)
    real(8), target, intent(in) :: a(:)
    integer, intent(in) :: k
    p(1) = sin(p(1)*p(size(p)))
    if (mod(k, 2) == 1) p => a
  end subroutine change
  subroutine change_held(h, a)
    type(holder), intent(inout) :: h
    real(8), target, intent(in) :: a(:)
    h%v(2) = cos(h%v(2)*h%v(size(h%v)))
    h%v => a
  end subroutine change_held
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: t(n), s(n)
    real(8), pointer :: p(:)
    y = 0.7d0*x
    t = 0.5d0*x
    s = sin(x)
    y = y + s**2*t
    p => t
    call change(p, s, 1)
    call change(p, t, 2)
    call change(p, t, 3)
    y(n) = y(n) + 0.2d0*sin(sum(s)) + p(1)*t(2)*sum(p**2)
  end subroutine f
  subroutine in_loop(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: t(n), s(n)
    real(8), pointer :: p(:)
    integer :: i
    t = 0.5d0*x
    s = sin(x)
    p => t
    do i = 1, n
      y(i) = s(i)**2*t(i)
      if (mod(i, 3) == 0) p => s(n:1:-1)
      call change(p, t, i)
      y(i) = y(i) + p(i)*t(1) + s(n)
    end do
  end subroutine in_loop
  subroutine component(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: t(n), s(n)
    type(holder) :: h
    t = 0.5d0*x
    s = sin(x)
    y = s**2*t
    h%v => t
    call change_held(h, s)
    call change_held(h, t)
    call change_held(h, s)
    y = y + h%v*t
  end subroutine component
end module m
