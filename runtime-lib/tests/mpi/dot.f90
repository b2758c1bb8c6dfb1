! For each case: the tangent against differences of values, and the adjoint against the tangent.
program dot
  use mpi
  use costate_mpi
  use cases
  implicit none
  integer, parameter :: wp = kind(1d0)
  real(wp) :: s0(n), s(n), t(n), dx(n), w(n), y(n), y_d(n), up(n), down(n), zero(n), both(3), all(3), h, limit
  integer :: which, ie, rank, first, last, bad
  character(20) :: argument
  call mpi_init(ie)
  call mpi_comm_rank(mpi_comm_world, rank, ie)
  first = 1; last = cases_number; bad = 0
  if (command_argument_count() > 0) then
    call get_command_argument(1, argument)
    read (argument, *) first
    last = first
  end if
  call seed(rank)
  do which = first, last
    call random_number(s0); call random_number(dx); call random_number(w)
    s0 = s0 + 0.5d0; dx = dx - 0.5d0; w = w - 0.5d0
    call costate_mpi_begin_d()
    if (which == 45) dx(2:4:2) = 0
    s = s0; t = dx
    call run(which, 'd', s0, s, t)
    y = s; y_d = t
    h = 1d-5; limit = 1d-11
    if (which == 19) then
      h = 1d-1; limit = 1d-5
    end if
    both = 0
    if (is_smooth(which)) then
      up = s0 + h*dx; zero = 0; s = s0
      call run(which, 'd', s, up, zero)
      down = s0 - h*dx; zero = 0; s = s0
      call run(which, 'd', s, down, zero)
      both(3) = maxval(abs((up - down)/(2*h) - y_d))
    end if
    call costate_mpi_begin_fwd()
    s = s0; t = 0
    call run(which, 'f', s0, s, t)
    if (any(s /= y)) both(3) = 1000
    t = w
    call run(which, 'b', s0, s, t)
    call costate_mpi_begin_b()
    both(1) = sum(y_d*w); both(2) = sum(dx*t)
    call mpi_allreduce(both, all, 2, mpi_double_precision, mpi_sum, mpi_comm_world, ie)
    call mpi_allreduce(both(3), all(3), 1, mpi_double_precision, mpi_max, mpi_comm_world, ie)
    if (.not. abs(all(1) - all(2)) <= limit*(1 + abs(all(1))) .or. .not. all(3) < 1d-5) then
      if (rank == 0) print '(a, 3es24.15)', case_name(which), all
      bad = bad + 1
    end if
  end do
  if (rank == 0 .and. bad == 0) print '(a)', 'passed'
  call mpi_finalize(ie)
contains
  ! No receive with a wildcard may get what another run sends.
  subroutine run(which, mode, s0, s, t)
    integer, intent(in) :: which
    character, intent(in) :: mode
    real(wp), intent(inout) :: s0(n), s(n), t(n)
    call act(which, mode, s0, s, t)
    call mpi_barrier(mpi_comm_world, ie)
  end subroutine

  subroutine seed(by)
    integer, intent(in) :: by
    integer :: length
    call random_seed(size=length)
    call random_seed(put=spread(1234 + 77*by, 1, length))
  end subroutine
end program
