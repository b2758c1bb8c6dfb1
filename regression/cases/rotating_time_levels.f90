! head: m::f(y)/(x)
! size: n=4
! Time levels of one array that rotate by their numbers: what is passed for the arguments of a step are surely different
! elements only where the numbers are.
module m
  implicit none
  type :: state
    real(8), allocatable :: u(:, :, :)
    integer :: before = 1, now = 2, after = 3
  end type state
contains
  subroutine leap(uo, uc, un, dt)
    real(8), intent(in) :: uo(:, :), uc(:, :), dt
    real(8), intent(inout) :: un(:, :)
    integer :: i
    do i = 2, size(un, 1) - 1
      un(i, :) = uo(i, :) + dt*uc(i, :)*(uc(i + 1, :) - uc(i - 1, :))
    end do
    un(1, :) = uo(1, :)*un(1, :)
  end subroutine leap

  subroutine filter(um, uc, up)
    real(8), intent(in) :: um(:, :), up(:, :)
    real(8), intent(inout) :: uc(:, :)
    uc = uc + 0.1d0*(um - 2*uc + up)*uc
  end subroutine filter

  subroutine step(s, it)
    type(state), intent(inout) :: s
    integer, intent(in) :: it
    integer :: t
    call leap(s%u(:, :, s%before), s%u(:, :, s%now), s%u(:, :, s%after), 0.1d0)
    if (it > 1) call filter(s%u(:, :, s%before), s%u(:, :, s%now), s%u(:, :, s%after))
    t = s%before
    s%before = s%now
    s%now = s%after
    s%after = t
  end subroutine step

  subroutine advance(a, b, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8), intent(out) :: b(n)
    b = a*a + 0.3d0*cshift(a, 1)
  end subroutine advance

  real(8) function energy(a, b) result(r)
    real(8), intent(in) :: a(:)
    real(8), intent(inout) :: b(:)
    b(1) = b(1)*1.1d0
    r = sum(a*b)
  end function energy

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(state) :: s
    real(8) :: v(n, 0:1), e, w(4, 3)
    integer :: it, i, j
    allocate(s%u(n, 2, 3))
    s%u(:, 1, 1) = x
    s%u(:, 2, 1) = x*x
    s%u(:, 1, 2) = x*0.9d0
    s%u(:, 2, 2) = x*x*x
    s%u(:, :, 3) = 0.2d0
    v = 0
    v(:, 0) = x
    e = 0
    do it = 1, 5
      call step(s, it)
      call advance(v(:, mod(it - 1, 2)), v(:, mod(it, 2)), n)
      e = e + energy(v(:, mod(it - 1, 2)), v(:, mod(it, 2)))
    end do
    w = 0.3d0
    w(:, 1) = x(1)
    do i = 1, 3
      do j = 1, 3
        if (i /= j) call advance(w(:, i), w(:, j), 4)
        if (i == j) cycle
        e = e*energy(w(:, i), w(:, j))
      end do
    end do
    y = s%u(:, 1, s%now) + s%u(:, 2, s%before) + v(:, mod(5, 2))*e
  end subroutine f
end module m
