! head: model(y)/(x)
! head: nested(y)/(x)
! head: by_class(y)/(x)
! size: n=6
! Calls that change some components of objects: these are saved before the calls, others with memory of their own aren't.
module objects_saved_in_parts
  implicit none
  type :: part_t
    real(8) :: rate = 0.3d0, last(2) = 0.1d0
  end type part_t
  type :: state_t
    integer :: n = 0, calls = 0
    real(8), allocatable :: q(:), area(:, :), w(:)
    complex(8), allocatable :: z(:)
    integer, allocatable :: order(:)
    logical :: up = .false.
    ! Not every state has some.
    real(8), allocatable :: extra(:)
    type(part_t) :: part
  end type state_t
  type :: whole_t
    type(state_t) :: now
    real(8), allocatable :: total(:)
  end type whole_t
contains
  subroutine made(s, n, x)
    type(state_t), intent(inout) :: s
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    integer :: i
    s%n = n
    allocate (s%q(0:n - 1), s%area(n, 2), s%w(n), s%z(-1:1), s%order(n))
    s%q = x
    s%area = 1.5d0
    s%area(:, 2) = x(n)
    s%w = 0
    s%z = cmplx(x(1), 0.2d0, 8)
    s%order = [(n + 1 - i, i=1, n)]
  end subroutine made

  subroutine step(s, dt)
    type(state_t), intent(inout) :: s
    real(8), intent(in) :: dt
    integer :: i
    s%calls = s%calls + 1
    s%up = s%q(1) > 0.6d0
    do i = 1, s%n - 2
      s%w(i) = s%q(i)*(s%q(i + 1) - s%q(i - 1))*s%area(i, 1)
    end do
    do i = 1, s%n - 2
      s%q(i) = s%q(i) + dt*s%w(i)*s%part%rate
    end do
    if (allocated(s%extra)) then
      s%extra(:) = s%extra*s%q(1:size(s%extra))
      s%q(1) = s%q(1) + 0.1d0*s%extra(2)
    end if
    s%z(0) = s%z(0)*cmplx(s%q(1), s%q(2), 8)
    if (s%up) s%part%last = s%part%last*s%q(1:2)
  end subroutine step

  subroutine sorted(s)
    type(state_t), intent(inout) :: s
    integer :: k
    k = s%order(1)
    s%order(1:s%n - 1) = s%order(2:)
    s%order(s%n) = k
    s%q(k - 1) = s%q(k - 1)*s%q(s%order(1) - 1)
  end subroutine sorted

  subroutine model(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(state_t) :: s
    integer :: k
    call made(s, n, x)
    do k = 1, 4
      call step(s, 0.1d0*k)
      if (k /= 2) call sorted(s)
    end do
    y = s%q*s%area(:, 2) + s%w*real(s%z(0)) + sum(s%part%last)
    if (s%calls /= 4) y = 0
  end subroutine model

  subroutine nested(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(whole_t) :: m
    integer :: k
    call made(m%now, n, x)
    m%total = x
    allocate (m%now%extra(3), source=0.7d0)
    !$ad checkpoint snapshots(2)
    do k = 1, 5
      call advance(m)
    end do
    y = m%total + m%now%q
  end subroutine nested

  subroutine advance(m)
    type(whole_t), intent(inout) :: m
    call step(m%now, 0.2d0)
    call sorted(m%now)
    m%total(:) = m%total + m%now%q*m%total
  end subroutine advance

  subroutine by_class(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(state_t) :: s, t
    call made(s, n, x)
    call made(t, n, 2*x)
    call mixed(s, t)
    call mixed(t, s)
    call mixed(s, t)
    y = s%q + t%q*t%part%rate
  end subroutine by_class

  subroutine mixed(s, other)
    class(state_t), intent(inout) :: s
    class(state_t), intent(in) :: other
    call halved(s, 0.5d0*other%q(1))
    s%part%rate = s%part%rate*other%q(2)
    call halved(s, s%part%rate)
  end subroutine mixed

  subroutine halved(s, by)
    class(state_t), intent(inout) :: s
    real(8), intent(in) :: by
    s%q = s%q*s%q*by + 0.1d0
  end subroutine halved
end module objects_saved_in_parts
