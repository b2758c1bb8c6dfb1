! Schedules for the adjoint of a time loop: which steps to run forward, when to take and restore snapshots of the
! state, and which steps to run backward.
!
!     type(costate_schedule) :: schedule
!     call costate_start(schedule, 'two-level', 1, nsteps, snapshots=30)
!     do
!       call costate_next(schedule, action, from, to)
!       select case (action)
!       case (costate_advance)      ! run steps from..to
!       case (costate_record)       ! run steps from..to and save what their adjoints need
!       case (costate_reverse)      ! run the adjoints of steps to..from, backward
!       case (costate_snapshot)     ! the state before step from
!         call costate_put(schedule, u)
!       case (costate_restore)
!         call costate_get(schedule, u)
!       case (costate_done)
!         exit
!       end select
!     end do
!     call costate_finish(schedule)
!
! Every step is recorded once before it is reversed; steps are recorded and reversed in ranges that mirror each other,
! so that tapes fit. Arrays are got in the order in which they were put; they are of any type without pointer and
! allocatable components, and scalars count as arrays. A schedule is a local variable of the procedure that uses it, which
! makes it safe in threads and in recursion. Do not assign one schedule to another. All procedures are pure, so that
! the adjoint of a pure procedure can be pure. A failure ends the program with a message.
module costate_rt_schedule
  use, intrinsic :: iso_c_binding, only: c_char, c_int32_t, c_int64_t, c_null_ptr, c_ptr
  use, intrinsic :: iso_fortran_env, only: int32, int64
  implicit none
  private
  public :: costate_schedule, costate_start, costate_next, costate_put, costate_get, costate_stop
  public :: costate_verifies, costate_verify, costate_finish

  integer, parameter, public :: costate_done = 0
  integer, parameter, public :: costate_advance = 1
  integer, parameter, public :: costate_snapshot = 2
  integer, parameter, public :: costate_restore = 3
  integer, parameter, public :: costate_record = 4
  integer, parameter, public :: costate_reverse = 5

  type :: costate_schedule
    private
    type(c_ptr) :: handle = c_null_ptr
    ! Recomputed values are to be compared.
    integer(c_int32_t) :: verify = 0
  end type costate_schedule

  ! The arguments of a start that are numbers.
  type, bind(c) :: numbers
    integer(c_int64_t) :: first, last, snapshots, on_disk
    ! Of a snapshot, of a step's tape, of memory; how many of these are given.
    integer(c_int64_t) :: bytes(3), sizes
    ! Of kind, name, folder.
    integer(c_int64_t) :: lengths(3)
  end type numbers

  ! Implemented in Rust, see runtime-lib/src/abi/schedule.rs. They are declared pure because a schedule is all that
  ! generated code can see them change.
  interface
    pure subroutine costate_rt_schedule_start(handle, given, kind, name, folder, verify) bind(c)
      import :: c_char, c_int32_t, c_ptr, numbers
      type(c_ptr), intent(inout) :: handle
      type(numbers), intent(in) :: given
      character(kind=c_char), intent(in) :: kind(*), name(*), folder(*)
      integer(c_int32_t), intent(out) :: verify
    end subroutine costate_rt_schedule_start

    pure subroutine costate_rt_schedule_next(handle, action, from, to) bind(c)
      import :: c_int32_t, c_int64_t, c_ptr
      type(c_ptr), intent(inout) :: handle
      integer(c_int32_t), intent(out) :: action
      integer(c_int64_t), intent(out) :: from, to
    end subroutine costate_rt_schedule_next

    pure subroutine costate_rt_schedule_put(handle, v, elements) bind(c)
      import :: c_int64_t, c_ptr
      type(c_ptr), intent(inout) :: handle
      type(*), contiguous, intent(in) :: v(..)
      integer(c_int64_t), value :: elements
    end subroutine costate_rt_schedule_put

    pure subroutine costate_rt_schedule_get(handle, v, elements) bind(c)
      import :: c_int64_t, c_ptr
      type(c_ptr), intent(inout) :: handle
      type(*), contiguous, intent(inout) :: v(..)
      integer(c_int64_t), value :: elements
    end subroutine costate_rt_schedule_get

    pure subroutine costate_rt_schedule_stop(handle) bind(c)
      import :: c_ptr
      type(c_ptr), intent(inout) :: handle
    end subroutine costate_rt_schedule_stop

    pure subroutine costate_rt_schedule_verify(handle, name, length, step, v, elements) bind(c)
      import :: c_char, c_int64_t, c_ptr
      type(c_ptr), intent(inout) :: handle
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), value :: length, step
      type(*), contiguous, intent(in) :: v(..)
      integer(c_int64_t), value :: elements
    end subroutine costate_rt_schedule_verify

    pure subroutine costate_rt_schedule_end(handle) bind(c)
      import :: c_ptr
      type(c_ptr), intent(inout) :: handle
    end subroutine costate_rt_schedule_end
  end interface

  interface costate_start
    module procedure :: start_i4, start_i8
  end interface costate_start

  interface costate_next
    module procedure :: next_i4, next_i8
  end interface costate_next

  interface costate_verify
    module procedure :: verify_i4, verify_i8
  end interface costate_verify

contains

  ! Starts the schedule of a loop over the steps first..last, which may be none.
  !   kind:
  !     'store-all': all steps are recorded at once
  !     'two-level': blocks of steps are recorded, with a snapshot at the start of each but the last
  !     'revolve': single steps are recorded, with the fewest forward steps for the number of snapshots, that of the first
  !       state among them; snapshots on disk are far apart, so that each is written and read once
  !     'multistage': the fewest forward steps for all snapshots together, those used most in memory
  !     'mixed': the same where each of `snapshots` slots in memory takes a snapshot or the tape of a step
  !     'dynamic': the fewest forward steps in memory_bytes, or in the memory of `snapshots`, for snapshots and for the tapes
  !       of all recorded steps but one; the program is ended when that is not enough
  !     'online': for a loop whose last step is announced by costate_stop, with snapshots in memory only
  !   snapshots, on_disk: number of snapshots in memory and on disk; when both are 0 or absent, the schedule chooses
  !   folder: where snapshots on disk are kept, in a file without a name; COSTATE_DISK overrides it, and TMPDIR is the default
  !   name: of the loop, for messages
  !   snapshot_bytes, tape_bytes, memory_bytes: for 'dynamic' only: bytes of a snapshot, of the tape of a step, of memory;
  !     it needs the first two
  pure subroutine start_i8(schedule, kind, first, last, snapshots, on_disk, folder, name, &
    snapshot_bytes, tape_bytes, memory_bytes)
    type(costate_schedule), intent(inout) :: schedule
    character(len=*), intent(in) :: kind
    integer(int64), intent(in) :: first, last
    integer, intent(in), optional :: snapshots, on_disk
    character(len=*), intent(in), optional :: folder, name
    integer(int64), intent(in), optional :: snapshot_bytes, tape_bytes, memory_bytes
    type(numbers) :: given
    character(len=:), allocatable :: folder_given, name_given

    given = numbers(first, last, 0, 0, 0, 0, 0)
    if (present(snapshots)) given%snapshots = snapshots
    if (present(on_disk)) given%on_disk = on_disk
    if (present(snapshot_bytes)) given%bytes(1) = snapshot_bytes
    if (present(tape_bytes)) given%bytes(2) = tape_bytes
    if (present(memory_bytes)) given%bytes(3) = memory_bytes
    if (present(snapshot_bytes) .and. present(tape_bytes)) given%sizes = merge(3, 2, present(memory_bytes))
    folder_given = ''
    if (present(folder)) folder_given = folder
    name_given = 'loop'
    if (present(name)) name_given = name
    given%lengths = [len(kind), len(name_given), len(folder_given)]
    call costate_rt_schedule_start(schedule%handle, given, kind, name_given, folder_given, schedule%verify)
  end subroutine start_i8

  pure subroutine start_i4(schedule, kind, first, last, snapshots, on_disk, folder, name, &
    snapshot_bytes, tape_bytes, memory_bytes)
    type(costate_schedule), intent(inout) :: schedule
    character(len=*), intent(in) :: kind
    integer(int32), intent(in) :: first, last
    integer, intent(in), optional :: snapshots, on_disk
    character(len=*), intent(in), optional :: folder, name
    integer(int64), intent(in), optional :: snapshot_bytes, tape_bytes, memory_bytes

    call start_i8(schedule, kind, int(first, int64), int(last, int64), snapshots, on_disk, folder, name, &
      snapshot_bytes, tape_bytes, memory_bytes)
  end subroutine start_i4

  ! The next action and the steps from..to that it concerns; the one before has been done.
  pure subroutine next_i8(schedule, action, from, to)
    type(costate_schedule), intent(inout) :: schedule
    integer, intent(out) :: action
    integer(int64), intent(out) :: from, to
    integer(c_int32_t) :: code

    call costate_rt_schedule_next(schedule%handle, code, from, to)
    action = code
  end subroutine next_i8

  pure subroutine next_i4(schedule, action, from, to)
    type(costate_schedule), intent(inout) :: schedule
    integer, intent(out) :: action
    integer(int32), intent(out) :: from, to
    integer(int64) :: from8, to8

    call next_i8(schedule, action, from8, to8)
    from = int(from8, int32)
    to = int(to8, int32)
  end subroutine next_i4

  ! Adds a variable to the snapshot that is being taken.
  pure subroutine costate_put(schedule, v)
    type(costate_schedule), intent(inout) :: schedule
    type(*), contiguous, intent(in) :: v(..)

    call costate_rt_schedule_put(schedule%handle, v, size(v, kind=c_int64_t))
  end subroutine costate_put

  ! Gets the next variable of the snapshot that is being restored.
  pure subroutine costate_get(schedule, v)
    type(costate_schedule), intent(inout) :: schedule
    type(*), contiguous, intent(inout) :: v(..)

    call costate_rt_schedule_get(schedule%handle, v, size(v, kind=c_int64_t))
  end subroutine costate_get

  ! The loop of an 'online' schedule has come to its end: the step that ran last, if any, was its last one.
  pure subroutine costate_stop(schedule)
    type(costate_schedule), intent(inout) :: schedule

    call costate_rt_schedule_stop(schedule%handle)
  end subroutine costate_stop

  ! True with COSTATE_VERIFY=1. To be asked before costate_verify: a section that isn't contiguous is copied for it.
  pure logical function costate_verifies(schedule)
    type(costate_schedule), intent(in) :: schedule

    costate_verifies = schedule%verify /= 0
  end function costate_verifies

  ! With COSTATE_VERIFY=1: ends the program unless the variable is, to the last bit, what it was when it was first seen
  ! at the same step under the same name.
  pure subroutine verify_i8(schedule, name, step, v)
    type(costate_schedule), intent(inout) :: schedule
    character(len=*), intent(in) :: name
    integer(int64), intent(in) :: step
    type(*), contiguous, intent(in) :: v(..)

    if (schedule%verify == 0) return
    call costate_rt_schedule_verify(schedule%handle, name, len(name, c_int64_t), step, v, size(v, kind=c_int64_t))
  end subroutine verify_i8

  pure subroutine verify_i4(schedule, name, step, v)
    type(costate_schedule), intent(inout) :: schedule
    character(len=*), intent(in) :: name
    integer(int32), intent(in) :: step
    type(*), contiguous, intent(in) :: v(..)

    call verify_i8(schedule, name, int(step, int64), v)
  end subroutine verify_i4

  ! Gives all memory and disk space of a schedule back; a schedule never started is no error.
  pure subroutine costate_finish(schedule)
    type(costate_schedule), intent(inout) :: schedule

    call costate_rt_schedule_end(schedule%handle)
  end subroutine costate_finish

end module costate_rt_schedule
