! Takes values off tapes: scalars and arrays of rank 1 to 7, texts of any length.
module costate_rt_pop
  use, intrinsic :: iso_c_binding, only: c_int64_t
  use, intrinsic :: iso_fortran_env, only: int8, int32, int64, real32, real64
  use costate_rt_tape, only: costate_tape, pop_bytes, shrink
  implicit none
  private
  public :: costate_pop

  interface costate_pop
    module procedure :: pop_text
  end interface costate_pop

! generated: interface

  interface costate_pop
    module procedure :: pop_r4_0, pop_r4_1, pop_r4_2, pop_r4_3, pop_r4_4, pop_r4_5, pop_r4_6, pop_r4_7
    module procedure :: pop_r8_0, pop_r8_1, pop_r8_2, pop_r8_3, pop_r8_4, pop_r8_5, pop_r8_6, pop_r8_7
    module procedure :: pop_c4_0, pop_c4_1, pop_c4_2, pop_c4_3, pop_c4_4, pop_c4_5, pop_c4_6, pop_c4_7
    module procedure :: pop_c8_0, pop_c8_1, pop_c8_2, pop_c8_3, pop_c8_4, pop_c8_5, pop_c8_6, pop_c8_7
    module procedure :: pop_i4_0, pop_i4_1, pop_i4_2, pop_i4_3, pop_i4_4, pop_i4_5, pop_i4_6, pop_i4_7
    module procedure :: pop_i8_0, pop_i8_1, pop_i8_2, pop_i8_3, pop_i8_4, pop_i8_5, pop_i8_6, pop_i8_7
    module procedure :: pop_l4_0, pop_l4_1, pop_l4_2, pop_l4_3, pop_l4_4, pop_l4_5, pop_l4_6, pop_l4_7
  end interface costate_pop

! generated: end

contains

  pure subroutine pop_text(tape, v)
    type(costate_tape), intent(inout) :: tape
    character(len=:), allocatable, intent(inout) :: v
    integer(int8), allocatable :: codes(:)
    integer(int64) :: length

    call pop_i8_0(tape, length)
    if (allocated(v)) deallocate (v)
    if (length < 0) return
    allocate (character(len=length) :: v)
    allocate (codes(length))
    call pop_bytes(tape, codes, length)
    if (length > 0) v = transfer(codes, v)
  end subroutine pop_text

! generated: procedures

  pure subroutine pop_r4_0(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real32), intent(out) :: v

    if (tape%used == 0) call shrink(tape, 1_c_int64_t)
    v = transfer(int(tape%words(tape%used), int32), v)
    tape%used = tape%used - 1
  end subroutine pop_r4_0

  pure subroutine pop_r4_1(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real32), intent(inout) :: v(:)

    call pop_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine pop_r4_1

  pure subroutine pop_r4_2(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real32), intent(inout) :: v(:, :)

    call pop_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine pop_r4_2

  pure subroutine pop_r4_3(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real32), intent(inout) :: v(:, :, :)

    call pop_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine pop_r4_3

  pure subroutine pop_r4_4(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real32), intent(inout) :: v(:, :, :, :)

    call pop_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine pop_r4_4

  pure subroutine pop_r4_5(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real32), intent(inout) :: v(:, :, :, :, :)

    call pop_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine pop_r4_5

  pure subroutine pop_r4_6(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real32), intent(inout) :: v(:, :, :, :, :, :)

    call pop_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine pop_r4_6

  pure subroutine pop_r4_7(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real32), intent(inout) :: v(:, :, :, :, :, :, :)

    call pop_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine pop_r4_7

  pure subroutine pop_r8_0(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real64), intent(out) :: v

    if (tape%used == 0) call shrink(tape, 1_c_int64_t)
    v = transfer(tape%words(tape%used), v)
    tape%used = tape%used - 1
  end subroutine pop_r8_0

  pure subroutine pop_r8_1(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real64), intent(inout) :: v(:)

    call pop_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine pop_r8_1

  pure subroutine pop_r8_2(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real64), intent(inout) :: v(:, :)

    call pop_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine pop_r8_2

  pure subroutine pop_r8_3(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real64), intent(inout) :: v(:, :, :)

    call pop_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine pop_r8_3

  pure subroutine pop_r8_4(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real64), intent(inout) :: v(:, :, :, :)

    call pop_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine pop_r8_4

  pure subroutine pop_r8_5(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real64), intent(inout) :: v(:, :, :, :, :)

    call pop_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine pop_r8_5

  pure subroutine pop_r8_6(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real64), intent(inout) :: v(:, :, :, :, :, :)

    call pop_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine pop_r8_6

  pure subroutine pop_r8_7(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real64), intent(inout) :: v(:, :, :, :, :, :, :)

    call pop_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine pop_r8_7

  pure subroutine pop_c4_0(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real32), intent(out) :: v

    if (tape%used == 0) call shrink(tape, 1_c_int64_t)
    v = transfer(tape%words(tape%used), v)
    tape%used = tape%used - 1
  end subroutine pop_c4_0

  pure subroutine pop_c4_1(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real32), intent(inout) :: v(:)

    call pop_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine pop_c4_1

  pure subroutine pop_c4_2(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real32), intent(inout) :: v(:, :)

    call pop_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine pop_c4_2

  pure subroutine pop_c4_3(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real32), intent(inout) :: v(:, :, :)

    call pop_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine pop_c4_3

  pure subroutine pop_c4_4(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real32), intent(inout) :: v(:, :, :, :)

    call pop_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine pop_c4_4

  pure subroutine pop_c4_5(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real32), intent(inout) :: v(:, :, :, :, :)

    call pop_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine pop_c4_5

  pure subroutine pop_c4_6(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real32), intent(inout) :: v(:, :, :, :, :, :)

    call pop_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine pop_c4_6

  pure subroutine pop_c4_7(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real32), intent(inout) :: v(:, :, :, :, :, :, :)

    call pop_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine pop_c4_7

  pure subroutine pop_c8_0(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real64), intent(out) :: v

    if (tape%used < 2) call shrink(tape, 2_c_int64_t)
    tape%used = tape%used - 2
    v = transfer(tape%words(tape%used + 1:tape%used + 2), v)
  end subroutine pop_c8_0

  pure subroutine pop_c8_1(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real64), intent(inout) :: v(:)

    call pop_bytes(tape, v, 16 * size(v, kind=int64))
  end subroutine pop_c8_1

  pure subroutine pop_c8_2(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real64), intent(inout) :: v(:, :)

    call pop_bytes(tape, v, 16 * size(v, kind=int64))
  end subroutine pop_c8_2

  pure subroutine pop_c8_3(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real64), intent(inout) :: v(:, :, :)

    call pop_bytes(tape, v, 16 * size(v, kind=int64))
  end subroutine pop_c8_3

  pure subroutine pop_c8_4(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real64), intent(inout) :: v(:, :, :, :)

    call pop_bytes(tape, v, 16 * size(v, kind=int64))
  end subroutine pop_c8_4

  pure subroutine pop_c8_5(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real64), intent(inout) :: v(:, :, :, :, :)

    call pop_bytes(tape, v, 16 * size(v, kind=int64))
  end subroutine pop_c8_5

  pure subroutine pop_c8_6(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real64), intent(inout) :: v(:, :, :, :, :, :)

    call pop_bytes(tape, v, 16 * size(v, kind=int64))
  end subroutine pop_c8_6

  pure subroutine pop_c8_7(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real64), intent(inout) :: v(:, :, :, :, :, :, :)

    call pop_bytes(tape, v, 16 * size(v, kind=int64))
  end subroutine pop_c8_7

  pure subroutine pop_i4_0(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int32), intent(out) :: v

    if (tape%used == 0) call shrink(tape, 1_c_int64_t)
    v = int(tape%words(tape%used), int32)
    tape%used = tape%used - 1
  end subroutine pop_i4_0

  pure subroutine pop_i4_1(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int32), intent(inout) :: v(:)

    call pop_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine pop_i4_1

  pure subroutine pop_i4_2(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int32), intent(inout) :: v(:, :)

    call pop_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine pop_i4_2

  pure subroutine pop_i4_3(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int32), intent(inout) :: v(:, :, :)

    call pop_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine pop_i4_3

  pure subroutine pop_i4_4(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int32), intent(inout) :: v(:, :, :, :)

    call pop_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine pop_i4_4

  pure subroutine pop_i4_5(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int32), intent(inout) :: v(:, :, :, :, :)

    call pop_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine pop_i4_5

  pure subroutine pop_i4_6(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int32), intent(inout) :: v(:, :, :, :, :, :)

    call pop_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine pop_i4_6

  pure subroutine pop_i4_7(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int32), intent(inout) :: v(:, :, :, :, :, :, :)

    call pop_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine pop_i4_7

  pure subroutine pop_i8_0(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int64), intent(out) :: v

    if (tape%used == 0) call shrink(tape, 1_c_int64_t)
    v = tape%words(tape%used)
    tape%used = tape%used - 1
  end subroutine pop_i8_0

  pure subroutine pop_i8_1(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int64), intent(inout) :: v(:)

    call pop_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine pop_i8_1

  pure subroutine pop_i8_2(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int64), intent(inout) :: v(:, :)

    call pop_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine pop_i8_2

  pure subroutine pop_i8_3(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int64), intent(inout) :: v(:, :, :)

    call pop_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine pop_i8_3

  pure subroutine pop_i8_4(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int64), intent(inout) :: v(:, :, :, :)

    call pop_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine pop_i8_4

  pure subroutine pop_i8_5(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int64), intent(inout) :: v(:, :, :, :, :)

    call pop_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine pop_i8_5

  pure subroutine pop_i8_6(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int64), intent(inout) :: v(:, :, :, :, :, :)

    call pop_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine pop_i8_6

  pure subroutine pop_i8_7(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int64), intent(inout) :: v(:, :, :, :, :, :, :)

    call pop_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine pop_i8_7

  pure subroutine pop_l4_0(tape, v)
    type(costate_tape), intent(inout) :: tape
    logical, intent(out) :: v

    if (tape%used == 0) call shrink(tape, 1_c_int64_t)
    v = tape%words(tape%used) /= 0_int64
    tape%used = tape%used - 1
  end subroutine pop_l4_0

  pure subroutine pop_l4_1(tape, v)
    type(costate_tape), intent(inout) :: tape
    logical, intent(inout) :: v(:)

    call pop_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine pop_l4_1

  pure subroutine pop_l4_2(tape, v)
    type(costate_tape), intent(inout) :: tape
    logical, intent(inout) :: v(:, :)

    call pop_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine pop_l4_2

  pure subroutine pop_l4_3(tape, v)
    type(costate_tape), intent(inout) :: tape
    logical, intent(inout) :: v(:, :, :)

    call pop_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine pop_l4_3

  pure subroutine pop_l4_4(tape, v)
    type(costate_tape), intent(inout) :: tape
    logical, intent(inout) :: v(:, :, :, :)

    call pop_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine pop_l4_4

  pure subroutine pop_l4_5(tape, v)
    type(costate_tape), intent(inout) :: tape
    logical, intent(inout) :: v(:, :, :, :, :)

    call pop_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine pop_l4_5

  pure subroutine pop_l4_6(tape, v)
    type(costate_tape), intent(inout) :: tape
    logical, intent(inout) :: v(:, :, :, :, :, :)

    call pop_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine pop_l4_6

  pure subroutine pop_l4_7(tape, v)
    type(costate_tape), intent(inout) :: tape
    logical, intent(inout) :: v(:, :, :, :, :, :, :)

    call pop_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine pop_l4_7

! generated: end

end module costate_rt_pop
