! The gradient of a viscous Burgers model by its hand-written adjoint, driven by a schedule.
!
!     schedule_test CASE KIND SNAPSHOTS ON_DISK FOLDER
program schedule_test
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use costate_rt
  implicit none
  integer, parameter :: n = 100, nsteps = 1000
  real(real64), parameter :: dt = 1.0e-4_real64, dx = 1.0_real64 / n, nu = 0.01_real64
  character(len=16) :: case, kind
  character(len=256) :: folder
  integer :: snapshots, on_disk

  call get_command_argument(1, case)
  call get_command_argument(2, kind)
  snapshots = number(3)
  on_disk = number(4)
  call get_command_argument(5, folder)
  select case (case)
  case ('gradient')
    call compare(nsteps)
    call compare(1)
    call compare(0)
  case ('once')
    call once()
  case ('threads')
    call threads()
  case ('kinds')
    call kinds()
  case ('memory')
    call memory()
  case ('wrong')
    call wrong()
  case ('small-budget')
    call small_budget()
  case ('assumed-size')
    call put_assumed_size([1.0_real64, 2.0_real64])
  case ('other-array')
    call other_array()
  case default
    error stop 'unknown case'
  end select
  print '(a)', 'passed'

contains

  integer function number(argument)
    integer, intent(in) :: argument
    character(len=16) :: text

    call get_command_argument(argument, text)
    read (text, *) number
  end function number

  subroutine expect(condition, what)
    logical, intent(in) :: condition
    character(len=*), intent(in) :: what

    if (condition) return
    print '(2a)', 'wrong: ', what
    error stop
  end subroutine expect

  pure subroutine step(k, u, energy)
    integer, intent(in) :: k
    real(real64), intent(inout) :: u(n), energy
    real(real64) :: old(n)
    integer :: i

    old = u
    do i = 2, n - 1
      u(i) = old(i) - dt / (2 * dx) * old(i) * (old(i + 1) - old(i - 1)) &
        + nu * dt / dx**2 * (old(i + 1) - 2 * old(i) + old(i - 1))
    end do
    energy = energy + dt * cos(0.01_real64 * k) * sum(u**2)
  end subroutine step

  ! `old` and `u` are the states before and after the step.
  pure subroutine step_b(k, old, u, u_b, energy_b)
    integer, intent(in) :: k
    real(real64), intent(in) :: old(n), u(n), energy_b
    real(real64), intent(inout) :: u_b(n)
    real(real64) :: new_b(n)
    integer :: i

    new_b = u_b + dt * cos(0.01_real64 * k) * 2 * u * energy_b
    u_b = 0
    u_b(1) = new_b(1)
    u_b(n) = new_b(n)
    do i = 2, n - 1
      u_b(i) = u_b(i) + new_b(i) * (1 - dt / (2 * dx) * (old(i + 1) - old(i - 1)) - 2 * nu * dt / dx**2)
      u_b(i + 1) = u_b(i + 1) + new_b(i) * (-dt / (2 * dx) * old(i) + nu * dt / dx**2)
      u_b(i - 1) = u_b(i - 1) + new_b(i) * (dt / (2 * dx) * old(i) + nu * dt / dx**2)
    end do
  end subroutine step_b

  pure subroutine initial(scale, u)
    real(real64), intent(in) :: scale
    real(real64), intent(out) :: u(n)
    integer :: i

    do i = 1, n
      u(i) = scale * sin(8 * atan(1.0_real64) * (i - 1) * dx)
    end do
  end subroutine initial

  ! The gradient of the energy with respect to the initial state. The recomputation in block `broken` is wrong.
  subroutine gradient(scale, steps, kind, snapshots, on_disk, u_b, energy, broken)
    real(real64), intent(in) :: scale
    integer, intent(in) :: steps, snapshots, on_disk
    character(len=*), intent(in) :: kind
    real(real64), intent(out) :: u_b(n), energy
    integer, intent(in), optional :: broken
    type(costate_schedule) :: schedule
    type(costate_tape) :: tape
    real(real64) :: u(n), old(n), after(n)
    integer :: action, from, to, k, run, clock

    call initial(scale, u)
    energy = 0
    u_b = 0
    clock = -1
    run = 0
    call costate_start(schedule, kind, 1, steps, snapshots, on_disk, trim(folder), &
      name='burgers', snapshot_bytes=844_int64, tape_bytes=800_int64, memory_bytes=snapshots * 844_int64)
    if (kind == 'online' .and. steps == 0) call costate_stop(schedule)
    do
      call costate_next(schedule, action, from, to)
      select case (action)
      case (costate_advance)
        do k = from, to
          call costate_verify(schedule, 'u', k, u)
          call step(k, u, energy)
          run = max(run, k)
        end do
        if (kind == 'online' .and. run == steps .and. to == steps) then
          call costate_stop(schedule)
          run = run + 1
        end if
      case (costate_snapshot)
        call costate_put(schedule, energy)
        call costate_put(schedule, u(1:n:2))
        call costate_put(schedule, from)
        call costate_put(schedule, u(2:n:2))
      case (costate_restore)
        call costate_get(schedule, energy)
        call costate_get(schedule, u(1:n:2))
        call costate_get(schedule, clock)
        call costate_get(schedule, u(2:n:2))
        call expect(clock == from, 'the step of a snapshot')
        if (present(broken)) then
          if (from <= broken) u(n / 2) = u(n / 2) * (1 + epsilon(u))
        end if
      case (costate_record)
        do k = from, to
          call costate_verify(schedule, 'u', k, u)
          call costate_push(tape, u)
          call step(k, u, energy)
        end do
        after = u
      case (costate_reverse)
        do k = to, from, -1
          call costate_pop(tape, old)
          call step_b(k, old, after, u_b, 1.0_real64)
          after = old
        end do
      case (costate_done)
        exit
      end select
    end do
    call costate_finish(schedule)
    call costate_release(tape)
  end subroutine gradient

  subroutine compare(steps)
    integer, intent(in) :: steps
    real(real64) :: expected(n), found(n), energy, quotient, plus, minus, unused(n)
    real(real64), parameter :: h = 1.0e-5_real64
    real(real64) :: start(n)

    call gradient(1.0_real64, steps, 'store-all', 0, 0, expected, energy)
    if (steps == nsteps) then
      ! The gradient itself, along the initial state.
      call gradient(1.0_real64 + h, steps, 'store-all', 0, 0, unused, plus)
      call gradient(1.0_real64 - h, steps, 'store-all', 0, 0, unused, minus)
      call initial(1.0_real64, start)
      quotient = (plus - minus) / (2 * h)
      call expect(abs(dot_product(expected, start) - quotient) < 1.0e-7_real64 * abs(quotient), 'the gradient')
    end if
    call gradient(1.0_real64, steps, kind, snapshots, on_disk, found, energy)
    call expect(norm2(found - expected) <= 1.0e-12_real64 * norm2(expected), 'the gradient of the schedule')
  end subroutine compare

  subroutine once()
    real(real64) :: u_b(n), energy
    integer :: broken

    broken = number(6)
    call gradient(1.0_real64, nsteps, kind, snapshots, on_disk, u_b, energy, broken)
  end subroutine once

  subroutine threads()
    real(real64) :: expected(n, 8), found(n, 8), energy(8)
    integer :: i

    do i = 1, 8
      call gradient(0.1_real64 * i, nsteps, 'store-all', 0, 0, expected(:, i), energy(i))
    end do
    !$omp parallel do num_threads(8) schedule(static, 1)
    do i = 1, 8
      call gradient(0.1_real64 * i, nsteps, kind, snapshots, on_disk, found(:, i), energy(i))
    end do
    call expect(maxval(abs(found - expected)) <= 1.0e-12_real64 * maxval(abs(expected)), 'gradients of threads')
  end subroutine threads

  ! Variables of many types, ranks and strides in a snapshot.
  subroutine kinds()
    type(costate_schedule) :: schedule
    type :: pair
      real(real32) :: a
      integer(int64) :: b
    end type pair
    type(pair) :: p(3), q(3)
    real(real32) :: a(2, 3, 2, 3, 2, 3, 2), b(2, 3, 2, 3, 2, 3, 2)
    integer(int64) :: ia(5, 4, 3), ib(5, 4, 3), first, from, to
    integer(int32) :: s, t
    logical :: la(7, 3), lb(7, 3)
    complex(real64) :: ca(3, 3), cb(3, 3), z, w
    character(len=5) :: text(2), other(2)
    real(real64), allocatable :: none(:, :)
    integer :: action, i

    call random_number(a)
    ia = reshape([(int(i, int64)**9, i=1, size(ia))], shape(ia))
    la = reshape([(mod(i, 3) == 0, i=1, size(la))], shape(la))
    ca = reshape([(cmplx(i, -i, real64), i=1, size(ca))], shape(ca))
    z = (3, 4)
    s = 42
    text = ['hello', 'world']
    p = [(pair(i, -i), i=1, 3)]
    allocate (none(3, 0:-1))
    first = 5
    b = 0
    ib = 0
    lb = .false.
    cb = 0
    call costate_start(schedule, 'revolve', first, first + 1, snapshots=1, on_disk=on_disk, folder=folder)
    do
      call costate_next(schedule, action, from, to)
      select case (action)
      case (costate_snapshot)
        call costate_put(schedule, a)
        call costate_put(schedule, ia(2:, ::2, 3))
        call costate_put(schedule, la(1:7:3, :))
        call costate_put(schedule, none)
        call costate_put(schedule, none(1:2, :))
        call costate_put(schedule, none(1, :))
        call costate_put(schedule, ca(3:1:-2, 2:))
        call costate_put(schedule, z)
        call costate_put(schedule, s)
        call costate_put(schedule, text)
        call costate_put(schedule, p)
      case (costate_restore)
        call costate_get(schedule, b)
        call costate_get(schedule, ib(2:, ::2, 3))
        call costate_get(schedule, lb(1:7:3, :))
        call costate_get(schedule, none)
        call costate_get(schedule, none(1:2, :))
        call costate_get(schedule, none(1, :))
        call costate_get(schedule, cb(3:1:-2, 2:))
        call costate_get(schedule, w)
        call costate_get(schedule, t)
        call costate_get(schedule, other)
        call costate_get(schedule, q)
        call expect(from == first, 'the step of a snapshot')
      case (costate_done)
        exit
      end select
    end do
    call costate_finish(schedule)
    call costate_finish(schedule)
    call expect(all(a == b), 'an array of rank 7')
    call expect(all(ia(2:, ::2, 3) == ib(2:, ::2, 3)) .and. sum(ib) == sum(ib(2:, ::2, 3)), 'integers')
    call expect(all(la(1:7:3, :) .eqv. lb(1:7:3, :)) .and. count(lb) == count(lb(1:7:3, :)), 'logicals')
    call expect(all(ca(3:1:-2, 2:) == cb(3:1:-2, 2:)), 'complex numbers')
    call expect(z == w .and. s == t .and. all(text == other), 'scalars and text')
    call expect(all(p%a == q%a) .and. all(p%b == q%b), 'derived types')
  end subroutine kinds

  ! Snapshots of 8 MB until there is no memory.
  subroutine memory()
    type(costate_schedule) :: schedule
    real(real64), allocatable :: u(:)
    integer :: action, from, to

    allocate (u(1000000), source=1.0_real64)
    call costate_start(schedule, kind, 1, 1000, snapshots, name='large')
    do
      call costate_next(schedule, action, from, to)
      if (action == costate_snapshot) call costate_put(schedule, u)
      if (action == costate_done) exit
    end do
  end subroutine memory

  subroutine wrong()
    type(costate_schedule) :: schedule

    call costate_start(schedule, kind, 1, 10, snapshots=3, name='wrong')
  end subroutine wrong

  subroutine small_budget()
    type(costate_schedule) :: schedule

    call costate_start(schedule, kind, 1, 10, name='small', snapshot_bytes=800_int64, tape_bytes=900_int64, &
      memory_bytes=799_int64)
  end subroutine small_budget

  subroutine put_assumed_size(v)
    real(real64), intent(in) :: v(*)
    type(costate_schedule) :: schedule
    integer :: action, from, to

    call costate_start(schedule, 'revolve', 1, 10, snapshots=3, name='wrong')
    call costate_next(schedule, action, from, to)
    call costate_put(schedule, v)
  end subroutine put_assumed_size

  subroutine other_array()
    type(costate_schedule) :: schedule
    real(real64) :: v(10)
    integer :: action, from, to

    v = 1
    call costate_start(schedule, 'revolve', 1, 10, snapshots=3, name='wrong')
    do
      call costate_next(schedule, action, from, to)
      if (action == costate_snapshot) call costate_put(schedule, v)
      if (action == costate_restore) call costate_get(schedule, v(:9))
    end do
  end subroutine other_array

end program schedule_test
