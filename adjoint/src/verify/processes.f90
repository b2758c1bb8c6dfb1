! Runs of the user's code in processes of their own: whatever a run changes, private and saved variables, common blocks
! and open files' buffers among it, the next one starts from the same state.
module costate_check_processes
  use, intrinsic :: iso_c_binding, only: c_int
  use, intrinsic :: iso_fortran_env, only: int64, error_unit, output_unit
  implicit none
  private
  public :: own_process, finish, received, desert, abandon, results, isolated, leads

  ! Whether a run finds nothing that those before have left.
  logical, parameter :: isolated = .true.
  ! Whether this process has the figures: with MPI there are others.
  logical, parameter :: leads = .true.

  ! The file of a run's results: open for writing in its process, then for reading.
  integer, protected :: results = -1
  integer(int64) :: start = -1
  ! Exit status of a run that came to its end; a `stop` of the user's has another.
  integer(c_int), parameter :: finished = 211

  interface
    integer(c_int) function c_fork() bind(c, name='fork')
      import :: c_int
    end function c_fork
    integer(c_int) function c_waitpid(process, status, options) bind(c, name='waitpid')
      import :: c_int
      integer(c_int), value :: process, options
      integer(c_int), intent(out) :: status
    end function c_waitpid
    integer(c_int) function c_alarm(seconds) bind(c, name='alarm')
      import :: c_int
      integer(c_int), value :: seconds
    end function c_alarm
    subroutine c_exit(status) bind(c, name='_exit')
      import :: c_int
      integer(c_int), value :: status
    end subroutine c_exit
  end interface

contains

  ! True in a new process, which must end with `finish`. The old one goes on, with false, once that has happened, and ends
  ! the same way if it doesn't happen, unless `survived` is there to be told that. No process outlives the limit, in seconds from the first one's start.
  logical function own_process(path, limit, survived)
    character(len=*), intent(in) :: path
    integer, intent(in) :: limit
    logical, intent(out), optional :: survived
    integer(c_int) :: process, status, unused
    integer(int64) :: time, rate
    call system_clock(time, rate)
    if (start < 0) start = time
    flush (output_unit)
    flush (error_unit)
    process = c_fork()
    if (process < 0) error stop 'no process can be started'
    own_process = process == 0
    if (own_process) then
      unused = c_alarm(int(max(0_int64, limit - (time - start) / rate) + 2, c_int))
      open (newunit=results, file=path, form='unformatted', access='stream', status='unknown', action='write')
      return
    end if
    unused = c_waitpid(process, status, 0_c_int)
    if (present(survived)) then
      survived = iand(status, 127_c_int) == 0 .and. iand(ishft(status, -8), 255_c_int) == finished
      if (.not. survived) return
    end if
    if (iand(status, 127_c_int) /= 0) call c_exit(128 + iand(status, 127_c_int))
    status = iand(ishft(status, -8), 255_c_int)
    if (status /= finished) call c_exit(status)
    open (newunit=results, file=path, form='unformatted', access='stream', status='old', action='read')
  end function own_process

  ! Ends a process whose results are written.
  subroutine finish()
    close (results)
    flush (output_unit)
    flush (error_unit)
    call c_exit(finished)
  end subroutine finish

  ! The results are read.
  subroutine received()
    close (results)
  end subroutine received

  ! Ends a process without results, which didn't survive then.
  subroutine desert(survived)
    logical, intent(out) :: survived
    survived = .false.
    call c_exit(3_c_int)
  end subroutine desert

  ! Ends everything without a word.
  subroutine abandon()
    call c_exit(3_c_int)
  end subroutine abandon

end module costate_check_processes

