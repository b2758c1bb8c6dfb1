! Times vertical advection and its gradient on a device, copies to the device and back included.
program time_vadv
  use iso_c_binding, only: c_int, c_double
  use stopwatch, only: begin, row, runs, took
  implicit none
  integer, parameter :: sizes(3) = [128, 256, 512], levels = 64
  real(c_double), parameter :: rate_of_steps = 3.0_c_double
  interface
    subroutine kernel(ni, nj, nk, dtr, utens_stage, u_stage, wcon, u_pos, utens, f) bind(C, name="kernel")
      import c_int, c_double
      integer(c_int), intent(in) :: ni, nj, nk
      real(c_double), intent(in) :: dtr, u_stage(*), wcon(*), u_pos(*), utens(*)
      real(c_double), intent(inout) :: utens_stage(*)
      real(c_double), intent(out) :: f
    end subroutine kernel
    subroutine kernel_b(ni, nj, nk, dtr, utens_stage, utens_stage_b, u_stage, u_stage_b, wcon, wcon_b, u_pos, u_pos_b, &
                        utens, utens_b, f, f_b) bind(C, name="kernel_b")
      import c_int, c_double
      integer(c_int), intent(in) :: ni, nj, nk
      real(c_double), intent(in) :: dtr, u_stage(*), wcon(*), u_pos(*), utens(*)
      real(c_double), intent(inout) :: utens_stage(*), utens_stage_b(*), u_stage_b(*), wcon_b(*), u_pos_b(*), utens_b(*)
      real(c_double), intent(inout) :: f, f_b
    end subroutine kernel_b
  end interface
  real(c_double), allocatable :: start(:), stage(:), stage_b(:), u(:), u_b(:), w(:), w_b(:), old(:), old_b(:), rest(:), rest_b(:)
  real(c_double) :: f, f_b, primal, gradient
  integer :: k, run, n, points, with_side

  do k = 1, size(sizes)
    n = sizes(k)
    points = n*n*levels
    with_side = (n + 1)*n*levels
    allocate (start(points), stage(points), stage_b(points), u(points), u_b(points), w(with_side), w_b(with_side))
    allocate (old(points), old_b(points), rest(points), rest_b(points))
    call random_number(start)
    call random_number(u)
    call random_number(w)
    call random_number(old)
    call random_number(rest)
    primal = huge(primal)
    gradient = huge(gradient)
    do run = 1, runs
      stage = start
      call begin()
      call kernel(n, n, levels, rate_of_steps, stage, u, w, old, rest, f)
      primal = took(primal)
      stage = start
      stage_b = 0
      u_b = 0
      w_b = 0
      old_b = 0
      rest_b = 0
      f_b = 1
      call begin()
      call kernel_b(n, n, levels, rate_of_steps, stage, stage_b, u, u_b, w, w_b, old, old_b, rest, rest_b, f, f_b)
      gradient = took(gradient)
    end do
    call row('vadv', points, 1, primal, gradient)
    deallocate (start, stage, stage_b, u, u_b, w, w_b, old, old_b, rest, rest_b)
  end do
end program time_vadv
