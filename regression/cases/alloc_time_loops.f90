! Time loops whose steps assign whole allocatable arrays, allocate and free.
module store
  implicit none
  real(8), allocatable :: now(:), change(:)
contains
  ! Nothing tells here that the two have the same shape.
  subroutine run(nt)
    integer, intent(in) :: nt
    integer :: it
    do it = 1, nt
      change = now
      change(2:) = now(2:) - sin(now(:size(now)-1))*now(2:)
      now = now + 0.01d0*change
    end do
  end subroutine
end module store

module m
  use store
  implicit none
  type grid
    integer :: steps = 0
    real(8) :: dt
    real(8), allocatable :: u(:), flux(:), unused(:)
  end type
contains
  ! Levels of the same shape, allocated before the loop.
  subroutine levels(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), allocatable :: before(:), u(:), after(:)
    integer :: it
    allocate(before(n), u(n), after(n))
    before = 0.9d0*x
    u = x
    do it = 1, nt
      after = 1.5d0*u - 0.5d0*before
      after(2:n-1) = after(2:n-1) + 0.01d0*(u(3:n) - 2*sin(u(2:n-1)) + u(1:n-2))*u(2:n-1)
      before = u
      u = after
    end do
    y = u*before
  end subroutine

  ! Components, one of which is allocated by the first step and one never, and a temporary in the step.
  subroutine components(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(grid) :: g
    integer :: it
    allocate(g%u(0:n-1))
    g%u = x
    g%dt = 0.01d0
    do it = 1, nt
      call step(g)
    end do
    y = g%u + g%flux(n) + g%steps*x
  end subroutine
  subroutine step(g)
    type(grid), intent(inout) :: g
    real(8), allocatable :: slope(:)
    integer :: n
    n = size(g%u)
    allocate(slope(n-1))
    slope = g%u(1:) - g%u(:n-2)
    g%flux = [0d0, slope**2*g%u(1:)]
    g%u = g%u - g%dt*g%flux
    deallocate(slope)
    g%steps = g%steps + 1
    g%dt = 0.99d0*g%dt
  end subroutine

  subroutine module_state(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    if (allocated(now)) deallocate(now)
    allocate(now(n))
    now = x
    call run(nt)
    y = now
  end subroutine

  ! Another shape in every step, freed and allocated again in some.
  subroutine grows(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), allocatable :: u(:), w(:)
    integer :: it
    u = x
    do it = 1, nt
      if (allocated(w)) then
        u(1) = u(1)*cos(w(it))
        deallocate(w)
      else
        allocate(w(it:it+1))
        w = u(1)*u(size(u))
      end if
      u = [u, sin(u(1)*u(size(u)))]
      u(1:n) = u(1:n) + 0.01d0*u(size(u))*u(size(u)-n+1:size(u))
    end do
    y = u(size(u)-n+1:)
    if (allocated(w)) y = y*w(nt)
  end subroutine

  subroutine f(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: u(n), v(n), w(n)
    call levels(n, nt, x, u)
    call components(n, nt, x, v)
    call module_state(n, nt, x, w)
    call grows(n, nt, x, y)
    y = y + u*v + w
  end subroutine
end module m
