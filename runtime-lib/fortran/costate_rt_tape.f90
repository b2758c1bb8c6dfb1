! The words of tapes, to which costate_rt_push.f90 and costate_rt_pop.f90 copy values and from which they take them.

! The one step that the standard does not count as pure: making a Fortran pointer of a C address.
module costate_rt_blocks
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_int64_t, c_ptr
  implicit none
  private
contains

  subroutine attach_block(block, capacity, words) bind(c, name="costate_rt_attach")
    type(c_ptr), intent(in) :: block
    integer(c_int64_t), intent(in) :: capacity
    integer(c_int64_t), pointer, intent(inout) :: words(:)

    call c_f_pointer(block, words, [capacity])
  end subroutine attach_block

end module costate_rt_blocks

module costate_rt_tape
  use, intrinsic :: iso_c_binding, only: c_int64_t, c_null_ptr, c_ptr
  use, intrinsic :: iso_fortran_env, only: int64
  implicit none
  private
  public :: costate_tape, costate_release, grow, shrink, push_bytes, pop_bytes

  ! A tape and the place in it. Memory is reserved in blocks of 8-byte words; a value or an array takes whole
  ! words and lies in one block. The components are for pushes and pops only.
  type :: costate_tape
    type(c_ptr) :: handle = c_null_ptr
    integer(c_int64_t), pointer, contiguous :: words(:) => null()
    integer(c_int64_t) :: capacity = 0
    integer(c_int64_t) :: used = 0
  end type costate_tape

  ! Implemented in Rust, see runtime-lib/src/abi/tape.rs. They are declared pure because a tape is all they change.
  interface
    pure subroutine costate_rt_grow(handle, used, need, block, capacity) bind(c)
      import :: c_int64_t, c_ptr
      type(c_ptr), intent(inout) :: handle
      integer(c_int64_t), value :: used, need
      type(c_ptr), intent(out) :: block
      integer(c_int64_t), intent(out) :: capacity
    end subroutine costate_rt_grow

    pure subroutine costate_rt_shrink(handle, used, need, block, capacity) bind(c)
      import :: c_int64_t, c_ptr
      type(c_ptr), intent(inout) :: handle
      integer(c_int64_t), intent(inout) :: used
      integer(c_int64_t), value :: need
      type(c_ptr), intent(out) :: block
      integer(c_int64_t), intent(out) :: capacity
    end subroutine costate_rt_shrink

    pure subroutine costate_rt_release(handle, used) bind(c)
      import :: c_int64_t, c_ptr
      type(c_ptr), intent(inout) :: handle
      integer(c_int64_t), value :: used
    end subroutine costate_rt_release

    pure subroutine costate_rt_save(to, from, bytes) bind(c)
      import :: c_int64_t
      integer(c_int64_t), intent(inout) :: to(*)
      type(*), intent(in) :: from(*)
      integer(c_int64_t), value :: bytes
    end subroutine costate_rt_save

    pure subroutine costate_rt_restore(from, to, bytes) bind(c)
      import :: c_int64_t
      integer(c_int64_t), intent(in) :: from(*)
      type(*), intent(inout) :: to(*)
      integer(c_int64_t), value :: bytes
    end subroutine costate_rt_restore

    pure subroutine costate_rt_attach_block(block, capacity, words) bind(c, name="costate_rt_attach")
      import :: c_int64_t, c_ptr
      type(c_ptr), intent(in) :: block
      integer(c_int64_t), intent(in) :: capacity
      integer(c_int64_t), pointer, intent(inout) :: words(:)
    end subroutine costate_rt_attach_block
  end interface

contains

  ! Frees the memory of a tape, or of all tapes of an array. Their values must all have been popped; a tape never used is
  ! no error.
  elemental subroutine costate_release(tape)
    type(costate_tape), intent(inout) :: tape

    call costate_rt_release(tape%handle, tape%used)
    nullify (tape%words)
    tape%capacity = 0
    tape%used = 0
  end subroutine costate_release

  ! Opens a block with room for `need` words.
  pure subroutine grow(tape, need)
    type(costate_tape), intent(inout) :: tape
    integer(c_int64_t), intent(in) :: need
    type(c_ptr) :: block

    call costate_rt_grow(tape%handle, tape%used, need, block, tape%capacity)
    call attach(tape, block)
    tape%used = 0
  end subroutine grow

  ! Goes back to the block before, in which the last `need` words are to be popped.
  pure subroutine shrink(tape, need)
    type(costate_tape), intent(inout) :: tape
    integer(c_int64_t), intent(in) :: need
    type(c_ptr) :: block

    call costate_rt_shrink(tape%handle, tape%used, need, block, tape%capacity)
    call attach(tape, block)
  end subroutine shrink

  pure subroutine attach(tape, block)
    type(costate_tape), intent(inout) :: tape
    type(c_ptr), intent(in) :: block

    call costate_rt_attach_block(block, tape%capacity, tape%words)
  end subroutine attach

  ! All arrays: bytes in array element order, rounded up to whole words.
  pure subroutine push_bytes(tape, v, bytes)
    type(costate_tape), intent(inout) :: tape
    type(*), intent(in) :: v(*)
    integer(int64), intent(in) :: bytes
    integer(c_int64_t) :: need

    if (bytes == 0) return
    need = (bytes + 7) / 8
    if (tape%used + need > tape%capacity) call grow(tape, need)
    call costate_rt_save(tape%words(tape%used + 1:tape%used + need), v, bytes)
    tape%used = tape%used + need
  end subroutine push_bytes

  pure subroutine pop_bytes(tape, v, bytes)
    type(costate_tape), intent(inout) :: tape
    type(*), intent(inout) :: v(*)
    integer(int64), intent(in) :: bytes
    integer(c_int64_t) :: need

    if (bytes == 0) return
    need = (bytes + 7) / 8
    if (tape%used < need) call shrink(tape, need)
    tape%used = tape%used - need
    call costate_rt_restore(tape%words(tape%used + 1:tape%used + need), v, bytes)
  end subroutine pop_bytes

end module costate_rt_tape
