! With MPI all runs take place in the same processes: the child of one can't use MPI. Otherwise as `processes.f90`.
module costate_check_processes
  use, intrinsic :: iso_c_binding, only: c_int
  use, intrinsic :: iso_fortran_env, only: error_unit, output_unit
  use mpi, only: mpi_abort, mpi_comm_dup, mpi_comm_free, mpi_comm_rank, mpi_comm_size, mpi_comm_world, mpi_finalize, &
      mpi_init_thread, mpi_status_size, mpi_test, mpi_thread_funneled
  implicit none
  private
  public :: own_process, finish, received, desert, abandon, results, isolated, leads
  public :: start_processes, end_processes, limit_time, wait_for, comm, rank, ranks

  logical, parameter :: isolated = .false.
  ! The driver's own messages never meet the user's.
  integer, protected :: comm
  integer, protected :: rank = 0, ranks = 1
  logical, protected :: leads = .true.
  integer, protected :: results = -1
  ! The file of a run's results.
  character(len=:), allocatable :: file

  interface
    integer(c_int) function c_alarm(seconds) bind(c, name='alarm')
      import :: c_int
      integer(c_int), value :: seconds
    end function c_alarm
    integer(c_int) function c_usleep(microseconds) bind(c, name='usleep')
      import :: c_int
      integer(c_int), value :: microseconds
    end function c_usleep
  end interface

contains

  subroutine start_processes()
    integer :: provided, error
    call mpi_init_thread(mpi_thread_funneled, provided, error)
    call mpi_comm_dup(mpi_comm_world, comm, error)
    call mpi_comm_rank(comm, rank, error)
    call mpi_comm_size(comm, ranks, error)
    leads = rank == 0
  end subroutine start_processes

  subroutine end_processes()
    integer :: error
    call mpi_comm_free(comm, error)
    call mpi_finalize(error)
  end subroutine end_processes

  ! Waits for a message, soon with pauses: there may be more processes than processors, and MPI itself waits busily.
  subroutine wait_for(request)
    integer, intent(inout) :: request
    integer :: status(mpi_status_size), error, tries
    integer(c_int) :: unused
    logical :: done
    tries = 0
    do
      call mpi_test(request, done, status, error)
      if (done) exit
      tries = tries + 1
      if (tries > 20) unused = c_usleep(20_c_int)
    end do
  end subroutine wait_for

  ! Whoever stops the job after its time may miss a process.
  subroutine limit_time(seconds)
    integer, intent(in) :: seconds
    integer(c_int) :: unused
    unused = c_alarm(int(seconds + 10, c_int))
  end subroutine limit_time

  ! Always true: what comes after the run follows in this process.
  logical function own_process(path, limit, survived)
    character(len=*), intent(in) :: path
    integer, intent(in) :: limit
    logical, intent(out), optional :: survived
    flush (output_unit)
    flush (error_unit)
    file = path
    open (newunit=results, file=file, form='unformatted', access='stream', status='replace', action='write')
    own_process = limit > 0 .or. .true.
    if (present(survived)) survived = .true.
  end function own_process

  ! The results are written, and can be read.
  subroutine finish()
    close (results)
    open (newunit=results, file=file, form='unformatted', access='stream', status='old', action='read')
  end subroutine finish

  subroutine received()
    close (results, status='delete')
  end subroutine received

  subroutine desert(survived)
    logical, intent(out) :: survived
    survived = .false.
    close (results, status='delete')
  end subroutine desert

  ! Ends all processes without a word.
  subroutine abandon()
    integer :: error
    call mpi_abort(mpi_comm_world, 3, error)
  end subroutine abandon

end module costate_check_processes
