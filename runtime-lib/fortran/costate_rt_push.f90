! Pushes values onto tapes: scalars and arrays of rank 1 to 7, texts of any length.
module costate_rt_push
  use, intrinsic :: iso_c_binding, only: c_int64_t
  use, intrinsic :: iso_fortran_env, only: int8, int32, int64, real32, real64
  use costate_rt_tape, only: costate_tape, grow, push_bytes
  implicit none
  private
  public :: costate_push

  interface costate_push
    module procedure :: push_text
  end interface costate_push

! generated: interface

  interface costate_push
    module procedure :: push_r4_0, push_r4_1, push_r4_2, push_r4_3, push_r4_4, push_r4_5, push_r4_6, push_r4_7
    module procedure :: push_r8_0, push_r8_1, push_r8_2, push_r8_3, push_r8_4, push_r8_5, push_r8_6, push_r8_7
    module procedure :: push_c4_0, push_c4_1, push_c4_2, push_c4_3, push_c4_4, push_c4_5, push_c4_6, push_c4_7
    module procedure :: push_c8_0, push_c8_1, push_c8_2, push_c8_3, push_c8_4, push_c8_5, push_c8_6, push_c8_7
    module procedure :: push_i4_0, push_i4_1, push_i4_2, push_i4_3, push_i4_4, push_i4_5, push_i4_6, push_i4_7
    module procedure :: push_i8_0, push_i8_1, push_i8_2, push_i8_3, push_i8_4, push_i8_5, push_i8_6, push_i8_7
    module procedure :: push_l4_0, push_l4_1, push_l4_2, push_l4_3, push_l4_4, push_l4_5, push_l4_6, push_l4_7
  end interface costate_push

! generated: end

contains

  ! A text before its length, which is -1 where there is no text.
  pure subroutine push_text(tape, v)
    type(costate_tape), intent(inout) :: tape
    character(len=:), allocatable, intent(in) :: v

    if (allocated(v)) then
      call push_bytes(tape, transfer(v, [0_int8]), len(v, kind=int64))
      call push_i8_0(tape, len(v, kind=int64))
    else
      call push_i8_0(tape, -1_int64)
    end if
  end subroutine push_text

! generated: procedures

  pure subroutine push_r4_0(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real32), intent(in) :: v

    if (tape%used == tape%capacity) call grow(tape, 1_c_int64_t)
    tape%used = tape%used + 1
    tape%words(tape%used) = int(transfer(v, 0_int32), int64)
  end subroutine push_r4_0

  pure subroutine push_r4_1(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real32), intent(in) :: v(:)

    call push_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine push_r4_1

  pure subroutine push_r4_2(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real32), intent(in) :: v(:, :)

    call push_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine push_r4_2

  pure subroutine push_r4_3(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real32), intent(in) :: v(:, :, :)

    call push_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine push_r4_3

  pure subroutine push_r4_4(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real32), intent(in) :: v(:, :, :, :)

    call push_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine push_r4_4

  pure subroutine push_r4_5(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real32), intent(in) :: v(:, :, :, :, :)

    call push_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine push_r4_5

  pure subroutine push_r4_6(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real32), intent(in) :: v(:, :, :, :, :, :)

    call push_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine push_r4_6

  pure subroutine push_r4_7(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real32), intent(in) :: v(:, :, :, :, :, :, :)

    call push_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine push_r4_7

  pure subroutine push_r8_0(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real64), intent(in) :: v

    if (tape%used == tape%capacity) call grow(tape, 1_c_int64_t)
    tape%used = tape%used + 1
    tape%words(tape%used) = transfer(v, 0_int64)
  end subroutine push_r8_0

  pure subroutine push_r8_1(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real64), intent(in) :: v(:)

    call push_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine push_r8_1

  pure subroutine push_r8_2(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real64), intent(in) :: v(:, :)

    call push_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine push_r8_2

  pure subroutine push_r8_3(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real64), intent(in) :: v(:, :, :)

    call push_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine push_r8_3

  pure subroutine push_r8_4(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real64), intent(in) :: v(:, :, :, :)

    call push_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine push_r8_4

  pure subroutine push_r8_5(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real64), intent(in) :: v(:, :, :, :, :)

    call push_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine push_r8_5

  pure subroutine push_r8_6(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real64), intent(in) :: v(:, :, :, :, :, :)

    call push_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine push_r8_6

  pure subroutine push_r8_7(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real64), intent(in) :: v(:, :, :, :, :, :, :)

    call push_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine push_r8_7

  pure subroutine push_c4_0(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real32), intent(in) :: v

    if (tape%used == tape%capacity) call grow(tape, 1_c_int64_t)
    tape%used = tape%used + 1
    tape%words(tape%used) = transfer(v, 0_int64)
  end subroutine push_c4_0

  pure subroutine push_c4_1(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real32), intent(in) :: v(:)

    call push_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine push_c4_1

  pure subroutine push_c4_2(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real32), intent(in) :: v(:, :)

    call push_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine push_c4_2

  pure subroutine push_c4_3(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real32), intent(in) :: v(:, :, :)

    call push_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine push_c4_3

  pure subroutine push_c4_4(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real32), intent(in) :: v(:, :, :, :)

    call push_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine push_c4_4

  pure subroutine push_c4_5(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real32), intent(in) :: v(:, :, :, :, :)

    call push_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine push_c4_5

  pure subroutine push_c4_6(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real32), intent(in) :: v(:, :, :, :, :, :)

    call push_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine push_c4_6

  pure subroutine push_c4_7(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real32), intent(in) :: v(:, :, :, :, :, :, :)

    call push_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine push_c4_7

  pure subroutine push_c8_0(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real64), intent(in) :: v

    if (tape%used + 2 > tape%capacity) call grow(tape, 2_c_int64_t)
    tape%words(tape%used + 1:tape%used + 2) = transfer(v, 0_int64, 2)
    tape%used = tape%used + 2
  end subroutine push_c8_0

  pure subroutine push_c8_1(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real64), intent(in) :: v(:)

    call push_bytes(tape, v, 16 * size(v, kind=int64))
  end subroutine push_c8_1

  pure subroutine push_c8_2(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real64), intent(in) :: v(:, :)

    call push_bytes(tape, v, 16 * size(v, kind=int64))
  end subroutine push_c8_2

  pure subroutine push_c8_3(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real64), intent(in) :: v(:, :, :)

    call push_bytes(tape, v, 16 * size(v, kind=int64))
  end subroutine push_c8_3

  pure subroutine push_c8_4(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real64), intent(in) :: v(:, :, :, :)

    call push_bytes(tape, v, 16 * size(v, kind=int64))
  end subroutine push_c8_4

  pure subroutine push_c8_5(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real64), intent(in) :: v(:, :, :, :, :)

    call push_bytes(tape, v, 16 * size(v, kind=int64))
  end subroutine push_c8_5

  pure subroutine push_c8_6(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real64), intent(in) :: v(:, :, :, :, :, :)

    call push_bytes(tape, v, 16 * size(v, kind=int64))
  end subroutine push_c8_6

  pure subroutine push_c8_7(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real64), intent(in) :: v(:, :, :, :, :, :, :)

    call push_bytes(tape, v, 16 * size(v, kind=int64))
  end subroutine push_c8_7

  pure subroutine push_i4_0(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int32), intent(in) :: v

    if (tape%used == tape%capacity) call grow(tape, 1_c_int64_t)
    tape%used = tape%used + 1
    tape%words(tape%used) = int(v, int64)
  end subroutine push_i4_0

  pure subroutine push_i4_1(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int32), intent(in) :: v(:)

    call push_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine push_i4_1

  pure subroutine push_i4_2(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int32), intent(in) :: v(:, :)

    call push_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine push_i4_2

  pure subroutine push_i4_3(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int32), intent(in) :: v(:, :, :)

    call push_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine push_i4_3

  pure subroutine push_i4_4(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int32), intent(in) :: v(:, :, :, :)

    call push_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine push_i4_4

  pure subroutine push_i4_5(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int32), intent(in) :: v(:, :, :, :, :)

    call push_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine push_i4_5

  pure subroutine push_i4_6(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int32), intent(in) :: v(:, :, :, :, :, :)

    call push_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine push_i4_6

  pure subroutine push_i4_7(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int32), intent(in) :: v(:, :, :, :, :, :, :)

    call push_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine push_i4_7

  pure subroutine push_i8_0(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int64), intent(in) :: v

    if (tape%used == tape%capacity) call grow(tape, 1_c_int64_t)
    tape%used = tape%used + 1
    tape%words(tape%used) = v
  end subroutine push_i8_0

  pure subroutine push_i8_1(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int64), intent(in) :: v(:)

    call push_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine push_i8_1

  pure subroutine push_i8_2(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int64), intent(in) :: v(:, :)

    call push_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine push_i8_2

  pure subroutine push_i8_3(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int64), intent(in) :: v(:, :, :)

    call push_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine push_i8_3

  pure subroutine push_i8_4(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int64), intent(in) :: v(:, :, :, :)

    call push_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine push_i8_4

  pure subroutine push_i8_5(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int64), intent(in) :: v(:, :, :, :, :)

    call push_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine push_i8_5

  pure subroutine push_i8_6(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int64), intent(in) :: v(:, :, :, :, :, :)

    call push_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine push_i8_6

  pure subroutine push_i8_7(tape, v)
    type(costate_tape), intent(inout) :: tape
    integer(int64), intent(in) :: v(:, :, :, :, :, :, :)

    call push_bytes(tape, v, 8 * size(v, kind=int64))
  end subroutine push_i8_7

  pure subroutine push_l4_0(tape, v)
    type(costate_tape), intent(inout) :: tape
    logical, intent(in) :: v

    if (tape%used == tape%capacity) call grow(tape, 1_c_int64_t)
    tape%used = tape%used + 1
    tape%words(tape%used) = merge(1_int64, 0_int64, v)
  end subroutine push_l4_0

  pure subroutine push_l4_1(tape, v)
    type(costate_tape), intent(inout) :: tape
    logical, intent(in) :: v(:)

    call push_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine push_l4_1

  pure subroutine push_l4_2(tape, v)
    type(costate_tape), intent(inout) :: tape
    logical, intent(in) :: v(:, :)

    call push_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine push_l4_2

  pure subroutine push_l4_3(tape, v)
    type(costate_tape), intent(inout) :: tape
    logical, intent(in) :: v(:, :, :)

    call push_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine push_l4_3

  pure subroutine push_l4_4(tape, v)
    type(costate_tape), intent(inout) :: tape
    logical, intent(in) :: v(:, :, :, :)

    call push_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine push_l4_4

  pure subroutine push_l4_5(tape, v)
    type(costate_tape), intent(inout) :: tape
    logical, intent(in) :: v(:, :, :, :, :)

    call push_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine push_l4_5

  pure subroutine push_l4_6(tape, v)
    type(costate_tape), intent(inout) :: tape
    logical, intent(in) :: v(:, :, :, :, :, :)

    call push_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine push_l4_6

  pure subroutine push_l4_7(tape, v)
    type(costate_tape), intent(inout) :: tape
    logical, intent(in) :: v(:, :, :, :, :, :, :)

    call push_bytes(tape, v, 4 * size(v, kind=int64))
  end subroutine push_l4_7

! generated: end

end module costate_rt_push
