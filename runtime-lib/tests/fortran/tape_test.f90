! Pushes and pops of every kind over many block boundaries. The first argument selects the case.
program tape_test
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64, real128
  use costate_rt, only: costate_tape, costate_push, costate_pop, costate_release
  use costate_rt_quad, only: costate_push, costate_pop
  implicit none
  character(len=16) :: name

  call get_command_argument(1, name)
  select case (name)
  case ("mixed")
    call mixed(1000000)
    call mixed(1)
    call mixed(300000)
  case ("ranks")
    call ranks()
  case ("texts")
    call texts()
  case ("large")
    call large()
  case ("recursion")
    call expect(nested(12) == 4095, "values of nested tapes")
  case ("threads")
    call threads()
  case ("pop-empty")
    call pop_empty()
  case ("pop-other")
    call pop_other()
  case ("release-full")
    call release_full()
  case ("no-memory")
    call no_memory()
  case default
    error stop "unknown case"
  end select
  print "(a)", "passed"

contains

  subroutine expect(condition, what)
    logical, intent(in) :: condition
    character(len=*), intent(in) :: what

    if (condition) return
    print "(2a)", "wrong: ", what
    error stop
  end subroutine expect

  ! Texts of all lengths, of none, and no text at all, between numbers.
  subroutine texts()
    integer, parameter :: n = 400
    type(costate_tape) :: tape
    character(len=:), allocatable :: text
    integer :: i, k

    do i = 0, n
      if (mod(i, 7) == 3) deallocate (text)
      call costate_push(tape, text)
      call costate_push(tape, i)
      text = repeat(achar(33 + mod(i, 90)), i)
    end do
    do i = n, 0, -1
      call costate_pop(tape, k)
      call costate_pop(tape, text)
      call expect(k == i, "number before a text")
      call expect(allocated(text) .eqv. (i > 0 .and. mod(i, 7) /= 3), "where there is no text")
      if (.not. allocated(text)) cycle
      call expect(len(text) == i - 1, "length of a text")
      call expect(text == repeat(achar(33 + mod(i - 1, 90)), i - 1), "text")
    end do
    call costate_release(tape)
  end subroutine texts

  ! Scalars of every kind, with an array of varying length and stride now and then.
  subroutine mixed(n)
    integer, intent(in) :: n
    type(costate_tape) :: tape
    real(real32) :: r4
    real(real64) :: r8, row(40, 3)
    real(real128) :: r16
    complex(real32) :: c4
    complex(real64) :: c8
    complex(real128) :: c16
    integer(int32) :: i4
    integer(int64) :: i8
    logical :: l4, right
    integer :: i, m

    do i = 1, n
      call costate_push(tape, -i)
      call costate_push(tape, mod(i, 3) == 0)
      call costate_push(tape, 1.0_real32 / i)
      call costate_push(tape, 1.0_real64 / i)
      call costate_push(tape, cmplx(i, -1.0_real32 / i, real32))
      call costate_push(tape, cmplx(-i, 2.0_real64 / i, real64))
      call costate_push(tape, huge(i8) - i)
      if (mod(i, 50) /= 0) cycle
      call costate_push(tape, 1.0_real128 / i)
      call costate_push(tape, cmplx(i, 3.0_real128 / i, real128))
      m = mod(i / 50, 38)
      row = real(i, real64)
      call costate_push(tape, row(:m, 2))
      call costate_push(tape, row(3, :))
      call costate_push(tape, row(1:m:3, 3:1:-2))
    end do
    right = .true.
    do i = n, 1, -1
      if (mod(i, 50) == 0) then
        m = mod(i / 50, 38)
        row = 0
        call costate_pop(tape, row(1:m:3, 3:1:-2))
        right = right .and. sum(row) == 2.0_real64 * ((m + 2) / 3) * i
        row = 0
        call costate_pop(tape, row(3, :))
        call costate_pop(tape, row(4:m + 3, 2))
        right = right .and. sum(row) == real(m + 3, real64) * i
        call costate_pop(tape, c16)
        call costate_pop(tape, r16)
        right = right .and. c16 == cmplx(i, 3.0_real128 / i, real128) .and. r16 == 1.0_real128 / i
      end if
      call costate_pop(tape, i8)
      call costate_pop(tape, c8)
      call costate_pop(tape, c4)
      call costate_pop(tape, r8)
      call costate_pop(tape, r4)
      call costate_pop(tape, l4)
      call costate_pop(tape, i4)
      right = right .and. i8 == huge(i8) - i .and. i4 == -i .and. (l4 .eqv. mod(i, 3) == 0)
      right = right .and. r8 == 1.0_real64 / i .and. r4 == 1.0_real32 / i
      right = right .and. c8 == cmplx(-i, 2.0_real64 / i, real64)
      right = right .and. c4 == cmplx(i, -1.0_real32 / i, real32)
      call expect(right, "a mixed value")
    end do
    call costate_release(tape)
    call costate_release(tape)
  end subroutine mixed

  subroutine ranks()
    type(costate_tape) :: tape
    real(real32) :: a(2, 3, 2, 3, 2, 3, 2), b(2, 3, 2, 3, 2, 3, 2)
    integer(int64) :: ia(5, 4, 3), ib(5, 4, 3)
    logical :: la(7, 3), lb(7, 3)
    complex(real64) :: ca(3, 3, 3, 3), cb(3, 3, 3, 3)
    integer :: i

    call random_number(a)
    ia = reshape([(int(i, int64)**9, i=1, size(ia))], shape(ia))
    la = reshape([(mod(i, 3) == 1, i=1, size(la))], shape(la))
    ca = reshape([(cmplx(i, -i, real64), i=1, size(ca))], shape(ca))
    do i = 1, 2000
      call costate_push(tape, a)
      call costate_push(tape, ia)
      call costate_push(tape, la)
      call costate_push(tape, ca)
      call costate_push(tape, la(::2, :))
      call costate_push(tape, ia(:0, :, :))
    end do
    do i = 1, 2000
      b = 0
      ib = 0
      lb = .false.
      cb = 0
      call costate_pop(tape, ib(:0, :, :))
      call costate_pop(tape, lb(::2, :))
      call expect(all(lb(::2, :) .eqv. la(::2, :)), "a strided logical array")
      call costate_pop(tape, cb)
      call costate_pop(tape, lb)
      call costate_pop(tape, ib)
      call costate_pop(tape, b)
      call expect(all(b == a) .and. all(ib == ia) .and. all(lb .eqv. la) .and. all(cb == ca), "an array")
    end do
    call costate_release(tape)
  end subroutine ranks

  ! Arrays that are larger than the largest block, between scalars.
  subroutine large()
    type(costate_tape) :: tape
    real(real64), allocatable :: v(:, :)
    integer :: i, k

    allocate (v(1300, 1000))
    do i = 1, 4
      v = i
      call costate_push(tape, v)
      if (mod(i, 2) == 0) call costate_push(tape, i)
    end do
    do i = 4, 1, -1
      if (mod(i, 2) == 0) call costate_pop(tape, k)
      if (mod(i, 2) == 0) call expect(k == i, "a scalar after a large array")
      call costate_pop(tape, v)
      call expect(all(v == i), "a large array")
    end do
    call costate_release(tape)
  end subroutine large

  recursive integer function nested(depth) result(total)
    integer, intent(in) :: depth
    type(costate_tape) :: tape
    integer :: i, n, k

    n = 200 * depth
    do i = 1, n
      call costate_push(tape, i * depth)
    end do
    total = 1
    if (depth > 1) total = 1 + nested(depth - 1) + nested(depth - 1)
    do i = n, 1, -1
      call costate_pop(tape, k)
      call expect(k == i * depth, "a value of a nested tape")
    end do
    call costate_release(tape)
  end function nested

  subroutine threads()
    integer :: i, j, k, wrong

    wrong = 0
    !$omp parallel do private(j, k) reduction(+:wrong) num_threads(4) schedule(dynamic)
    do i = 1, 64
      block
        type(costate_tape) :: own
        do j = 1, 50000
          call costate_push(own, i * j)
        end do
        do j = 50000, 1, -1
          call costate_pop(own, k)
          if (k /= i * j) wrong = wrong + 1
        end do
        call costate_release(own)
      end block
    end do
    call expect(wrong == 0, "a value of another thread")
  end subroutine threads

  subroutine pop_empty()
    type(costate_tape) :: tape
    real(real64) :: v

    call costate_push(tape, 1.0_real64)
    call costate_pop(tape, v)
    call costate_pop(tape, v)
  end subroutine pop_empty

  subroutine pop_other()
    type(costate_tape) :: tape
    real(real64) :: v(3)

    call costate_push(tape, 1.0_real64)
    call costate_pop(tape, v)
  end subroutine pop_other

  subroutine release_full()
    type(costate_tape) :: tape

    call costate_push(tape, 1)
    call costate_push(tape, 2)
    call costate_release(tape)
  end subroutine release_full

  ! Runs under a limit of the address space.
  subroutine no_memory()
    type(costate_tape) :: tape
    real(real64), allocatable :: v(:)
    integer :: i

    allocate (v(100000), source=1.0_real64)
    do i = 1, 10000
      call costate_push(tape, v)
    end do
    call costate_release(tape)
  end subroutine no_memory

end program tape_test
