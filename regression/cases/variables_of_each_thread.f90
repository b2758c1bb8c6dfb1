! head: m::columns(y)/(x)
! head: m::steps(y)/(x,strength)
! head: m::tuned(y)/(x,strength,rates)
! head: m::nested(y)/(x)
! head: m::both(y)/(x)
! head: m::collapsed(r)/(q)
! head: m::kept(y)/(x)
! head: m::left(y)/(x)
! head: m::carried(y)/(x)
! head: m::of_sections(y)/(x,strength)
! head: m::regimes(y)/(x,strength)
! size: n=24
! threads: 4
! Variables of modules of which each thread has its own, and others that procedures use which are called in shared loops.
module m
  implicit none
  integer, parameter :: nz = 5
  real(8), save :: work(nz), first, last, behind
  complex(8), save :: phase
  integer, save :: regime
  real(8), save :: gain, loss
  !$omp threadprivate(work, first, last, behind, phase, regime, gain, loss)
  real(8), save :: held(3), table(3)
  logical, save :: known = .false.
  !$omp threadprivate(held, table, known)
  real(8), save :: strength = 0.7d0, rates(3) = [0.2d0, 0.3d0, 0.4d0]
contains
  subroutine fill(x, k0)
    real(8), intent(in) :: x
    integer, intent(in) :: k0
    integer :: k
    do k = 1, nz
      if (mod(k + k0, 2) == 0) then
        work(k) = x**2*k
      else
        work(k) = sin(x)/k
      end if
    end do
    first = work(1)
    last = work(nz)*first
  end subroutine
  subroutine smooth(a, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n)
    integer :: k
    do k = 2, n
      a(k) = a(k) + 0.5d0*a(k-1)*a(k)
    end do
  end subroutine
  subroutine column(x, y, k0)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    integer, intent(in) :: k0
    call fill(x, k0)
    call smooth(work, nz)
    y = work(nz)*first + last
  end subroutine
  subroutine columns(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    !$omp parallel do schedule(dynamic)
    do i = 1, n
      call column(x(i), y(i), i)
    end do
  end subroutine
  real(8) function damped(x)
    real(8), intent(in) :: x
    damped = x*exp(-strength*x)
  end function
  subroutine steps(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: t
    y = x
    do t = 1, 4
      call step(n, y)
      strength = strength*1.1d0
    end do
  end subroutine
  subroutine step(n, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: y(n)
    integer :: i
    real(8) :: z
    !$omp parallel private(z)
    !$omp do
    do i = 1, n
      call column(y(i), z, i)
      y(i) = damped(y(i)) + 0.1d0*z
    end do
    !$omp end do
    !$omp do
    do i = 1, n
      y(i) = y(i)*(1 + 0.01d0*strength*i)
    end do
    !$omp end parallel
  end subroutine
  real(8) function rated(x, k)
    real(8), intent(in) :: x
    integer, intent(in) :: k
    rated = rates(k)*x**2 + damped(x)
  end function
  subroutine tuned(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, k
    y = strength*x
    !$omp parallel do private(k)
    do i = 1, n
      do k = 1, 3
        y(i) = y(i) + rated(x(i), k)*strength
      end do
    end do
    strength = strength*y(1)
    !$omp parallel do
    do i = 2, n
      y(i) = y(i)*strength*rates(1 + mod(i, 3))
    end do
    y(1) = y(1)*strength + sum(rates)
  end subroutine
  subroutine nested(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    !$omp parallel do default(none) shared(n, x, y)
    do i = 1, n
      phase = cmplx(x(i), 0.5d0*x(i)**2, 8)
      call turn(i)
      y(i) = real(phase) + 2*aimag(phase)
    end do
  end subroutine
  subroutine turn(i)
    integer, intent(in) :: i
    if (i > 3) phase = phase*phase
    phase = phase*(1d0, 0.5d0)
  end subroutine
  subroutine both(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: s
    s = 0
    !$omp parallel do reduction(+:s)
    do i = 1, n
      call column(x(i), y(i), i)
      s = s + y(i)*first
    end do
    !$omp parallel do
    do i = 1, n
      work = [x(i), s, 1d0, x(i)*s, 2d0]
      call smooth(work(2:4), 3)
      y(i) = y(i) + dot_product(work, work)
    end do
  end subroutine
  subroutine collapsed(n, q, r)
    integer, intent(in) :: n
    real(8), intent(in) :: q(n,3)
    real(8), intent(out) :: r(n,3)
    integer :: i, j
    !$omp parallel do collapse(2)
    do j = 1, 3
      do i = 1, n
        call column(q(i,j)*strength, r(i,j), i + j)
        r(i,j) = r(i,j) + damped(q(i,j))
      end do
    end do
  end subroutine
  ! The values come from outside, and stay the same.
  subroutine kept(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    held = [x(1), x(2)*x(3), 2d0]
    !$omp parallel do copyin(held)
    do i = 1, n
      y(i) = by_held(x(i))*held(3)
    end do
    y(1) = y(1)*held(1)
  end subroutine
  real(8) function by_held(x)
    real(8), intent(in) :: x
    by_held = held(1)*x + held(2)*x**2
  end function
  ! One thread's value is used behind the loop.
  subroutine left(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    !$omp parallel do num_threads(1)
    do i = 1, n
      call column(x(i), y(i), i)
      behind = last*x(i)
    end do
    y(1) = y(1) + behind
  end subroutine
  ! A thread computes a table when it comes to it first.
  subroutine carried(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    !$omp parallel
    known = .false.
    !$omp do
    do i = 1, n
      if (.not. known) then
        table = [x(1), x(2), x(1)*x(2)]
        known = .true.
      end if
      y(i) = table(1 + mod(i, 3))*x(i)
    end do
    !$omp end parallel
  end subroutine
  subroutine of_sections(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    y = 0
    !$omp parallel do
    do i = 3, n
      y(i) = damped(x(i))
    end do
    !$omp parallel sections
    !$omp section
    y(1) = damped(x(1))
    !$omp section
    y(2) = damped(x(2))
    !$omp end parallel sections
  end subroutine
  subroutine classify(x)
    real(8), intent(in) :: x
    regime = 1
    if (x > 0.5d0) regime = 2
  end subroutine
  ! One of several blocks sets what follows.
  subroutine regimes(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    !$omp parallel do
    do i = 1, n
      call classify(x(i))
      select case (regime)
      case (1)
        gain = x(i)*strength
        loss = 0
      case default
        gain = sin(x(i))
        loss = gain*x(i)
      end select
      y(i) = gain - loss*damped(gain)
    end do
  end subroutine
end module
