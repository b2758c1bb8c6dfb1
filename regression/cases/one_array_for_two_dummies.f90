! Calls that give one array to two or three dummies, of which the callee assigns some: every value is read before its own
! element is assigned, or whole loops and calls lie between the two.
! head: m::f(y)/(x)
! size: n=7
! threads: 4
module m
  implicit none
  integer, parameter :: halo = 2
  type field
    real(8), allocatable :: h(:)
    real(8) :: w(4)
  end type field
contains
  ! What it computes with comes in two parts: what it starts from and what moves it.
  subroutine step(n, start, force, next, work, dt)
    integer, intent(in) :: n
    real(8), intent(in) :: start(1 - halo:n + halo), dt
    real(8), intent(inout) :: force(1 - halo:n + halo)
    real(8), intent(out) :: next(1 - halo:n + halo), work(n)
    integer :: i
    call ends(n, force)
    call slope(n, force, work)
    !$omp parallel do
    do i = 1, n
      next(i) = start(i) + dt*work(i)
    end do
  end subroutine step

  subroutine ends(n, q)
    integer, intent(in) :: n
    real(8), intent(inout) :: q(1 - halo:n + halo)
    q(-1) = q(n - 1)
    q(0) = q(n)
    q(n + 1) = q(1)
    q(n + 2) = q(2)
  end subroutine ends

  subroutine slope(n, q, d)
    integer, intent(in) :: n
    real(8), intent(in) :: q(1 - halo:n + halo)
    real(8), intent(out) :: d(n)
    integer :: i
    !$omp parallel do
    do i = 1, n
      d(i) = q(i)*(q(i - 1) - 2*q(i) + q(i + 1)) - 0.1d0*(q(i + 2) - q(i - 2))**2
    end do
  end subroutine slope

  ! Whole loops lie between what is assigned by one name and read by another one.
  subroutine blend(a, b, c)
    real(8), intent(in) :: a(:)
    real(8), intent(inout) :: b(:), c(:)
    real(8) :: s(size(a)), t
    integer :: i, k
    do k = 1, 2
      do i = 1, size(a)
        b(i) = sin(a(i))*b(i) + 0.2d0*c(i)
      end do
      s = a(size(a):1:-1)
      t = 0.1d0*sum(a)
      c = c + s*t
      call halve(b, 0.9d0)
    end do
  end subroutine blend

  subroutine halve(b, by)
    real(8), intent(inout) :: b(:)
    real(8), intent(in) :: by
    b = by*b*b
  end subroutine halve

  ! Passes on what may be one array by then.
  subroutine through(n, p, q, r)
    integer, intent(in) :: n
    real(8), intent(inout) :: p(n), q(n), r(n)
    call blend(p, q, r)
    call blend(a=q, b=r, c=p)
  end subroutine through

  real(8) function updated(a, b)
    real(8), intent(in) :: a(4)
    real(8), intent(inout) :: b(4)
    b = a*b + cos(a)
    updated = b(2)
  end function updated

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: state(1 - halo:n + halo), other(1 - halo:n + halo), work(n), p(n), q(n)
    type(field) :: z
    integer :: it
    state = 0.3d0
    state(1:n) = x
    other = state
    do it = 1, 3
      call step(n, state, state, other, work, 0.1d0)
      call step(n, state, other, other, work, 0.05d0)
      call step(n, start=state, force=other, next=state, work=work, dt=0.02d0)
      call step(n, state, state, state, dt=0.01d0, work=work)
      call step(n, other, state, other, work, 0.2d0)
    end do
    p = state(1:n)
    q = other(1:n)
    call through(n, p, p, q)
    call through(n, p, q, p)
    call through(n, q, q, q)
    call through(n, p, q, work)
    z%h = x
    z%w = x(1:4)
    call blend(z%h, z%h, p)
    p(3) = p(3)*updated(z%w, z%w)
    y = p*q + z%h*sum(z%w) + work
  end subroutine f
end module m
