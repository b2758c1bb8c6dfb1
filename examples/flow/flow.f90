!> How a rising thermal answers to changes of the air that it starts in: the gradient of its energy at the end with
!> respect to potential temperature everywhere at the start.
module flow_experiment
  use, intrinsic :: iso_fortran_env, only: dp => real64, int64
  use flow_model, only: final_energy, nx, nz
  use flow_model_b, only: final_energy_b
  implicit none
  private
  public :: dp, compare, evaluate, gradient_of, keep, seconds, steps

  integer :: steps = 0

contains

  !> The energy and its gradient, as the check of the gradient wants them.
  subroutine evaluate(x, j, gradient)
    real(dp), intent(in) :: x(:)
    real(dp), intent(out) :: j, gradient(:)
    real(dp) :: theta(nx, nz)

    theta = reshape(x, [nx, nz])
    call final_energy(theta, steps, j)
    gradient = reshape(gradient_of(theta), [nx * nz])
  end subroutine evaluate

  function gradient_of(theta) result(theta_b)
    real(dp), intent(in) :: theta(nx, nz)
    real(dp) :: theta_b(nx, nz), energy_b, ignored

    theta_b = 0.0_dp
    energy_b = 1.0_dp
    call final_energy_b(theta, theta_b, steps, ignored, energy_b)
  end function gradient_of

  !> Keeps the gradient in a file, for other variants of the model to compare theirs with.
  subroutine keep(gradient, file)
    real(dp), intent(in) :: gradient(:)
    character(len=*), intent(in) :: file
    integer :: unit

    open (newunit=unit, file=file, form="unformatted", status="replace", action="write")
    write (unit) gradient
    close (unit)
  end subroutine keep

  subroutine compare(gradient, file)
    real(dp), intent(in) :: gradient(:)
    character(len=*), intent(in) :: file
    real(dp), parameter :: allowed = 1.0e-10_dp
    real(dp) :: kept(size(gradient)), difference
    integer :: unit

    open (newunit=unit, file=file, form="unformatted", status="old", action="read")
    read (unit) kept
    close (unit)
    difference = norm2(gradient - kept) / norm2(kept)
    print "(a,es10.2)", "gradient against that of the serial variant, relative difference", difference
    if (.not. difference <= allowed) error stop "the variants differ"
  end subroutine compare

  !> A clock.
  real(dp) function seconds()
    integer(int64) :: count, rate

    call system_clock(count, rate)
    seconds = real(count, dp) / real(rate, dp)
  end function seconds

end module flow_experiment

program flow
  use demo_support, only: check_gradient, only_check
  use flow_experiment
  use flow_model, only: box, dt, dx, dz, final_energy, height, length, make_grid, nx, nz, present_theta, thermal, &
    whole_nx, whole_nz
  use svg_colours, only: black, blue, orange
  use svg_plot, only: svg_figure
  implicit none
  integer, parameter :: changes = 4
  real(dp), parameter :: duration = 900.0_dp
  character(len=*), parameter :: white = "#ffffff"
  real(dp), allocatable :: before(:, :), after(:, :), gradient(:, :)
  real(dp) :: energy, change(-changes:changes), energy_of(-changes:changes), largest, started, model_time, adjoint_time
  integer :: n

  if (only_check()) then
    call check()
    stop
  end if
  whole_nx = 100
  whole_nz = 50
  call make_grid()
  steps = nint(duration / dt)
  allocate (before(nx, nz), after(nx, nz), gradient(nx, nz))
  call thermal(2.0_dp, before)

  started = seconds()
  call final_energy(before, steps, energy)
  model_time = seconds() - started
  call present_theta(after)
  print "(i0,a,i0,a,i0,a,f0.2,a)", nx, " x ", nz, " cells, ", steps, " steps of ", dt, " s"
  print "(a,f0.3,a,t50,f7.2,a)", "the model: energy at the end ", energy, " J/m3", model_time, " s"
  started = seconds()
  gradient = gradient_of(before)
  adjoint_time = seconds() - started
  print "(a,i0,a,t50,f7.2,a,f0.1,a)", "the adjoint: its gradient by ", nx * nz, " temperatures", adjoint_time, " s, ", &
    adjoint_time / model_time, " times that of the model"

  ! What the gradient says of a change along it, and what the model says.
  largest = 1.0_dp / maxval(abs(gradient))
  do n = -changes, changes
    change(n) = n * 0.25_dp / changes
    call final_energy(before + change(n) * largest * gradient, steps, energy_of(n))
  end do
  call plot("flow.svg")
  print "(a)", "picture: flow.svg"

contains

  subroutine check()
    real(dp), allocatable :: theta(:, :), x(:), found(:)
    character(len=16) :: what
    character(len=256) :: file
    real(dp) :: j

    call make_grid()
    steps = 30
    allocate (theta(nx, nz))
    call thermal(10.0_dp, theta)
    x = reshape(theta, [nx * nz])
    allocate (found(nx * nz))
    call evaluate(x, j, found)
    call check_gradient(evaluate, x, scale=1.0_dp)
    call get_command_argument(2, what)
    call get_command_argument(3, file)
    if (what == "keep") call keep(found, trim(file))
    if (what == "compare") call compare(found, trim(file))
  end subroutine check

  subroutine plot(file)
    character(len=*), intent(in) :: file
    real(dp), parameter :: warm(2) = [0.0_dp, 2.0_dp]
    type(svg_figure) :: figure
    real(dp) :: sensitivity(nx, nz), bound
    character(len=80) :: title

    ! For each K in a square kilometre.
    sensitivity = gradient / (dx * dz) * 1.0e6_dp
    bound = 0.8_dp * maxval(abs(sensitivity))
    call figure%open(file, 1340, 790, "What the energy of a rising thermal depends on")
    call panel(figure, 80, 90, "Potential temperature at the start", before, warm, "sequential", white, "K")
    write (title, "(a,i0,a)") "Potential temperature after ", nint(steps * dt), " s, and the box of the energy"
    call panel(figure, 760, 90, trim(title), after, warm, "sequential", white, "K")
    call panel(figure, 80, 465, "Sensitivity to the start, in J/m³ for each K km²", sensitivity, [-bound, bound], &
      "diverging", black, "")
    call figure%axes(760, 465, 480, 240, 1.08_dp * [change(-changes), change(changes)], energy_range(), &
      "The energy when the start is changed along the sensitivity", "largest change in K", "energy in J/m³")
    call figure%line([change(-changes), change(changes)], energy + [change(-changes), change(changes)] * slope(), orange, &
      "what the gradient says")
    call figure%points(change, energy_of, blue, "what the model says", radius=4.0_dp)
    call figure%legend("top left")
    call figure%close()
  end subroutine plot

  real(dp) function slope()
    slope = sum(gradient**2) * largest
  end function slope

  function energy_range() result(bounds)
    real(dp) :: bounds(2)

    bounds = [minval(energy_of), maxval(energy_of)]
    bounds = bounds + 0.1_dp * (bounds(2) - bounds(1)) * [-1.0_dp, 1.0_dp]
  end function energy_range

  subroutine panel(figure, left, top, title, values, value_range, map, lines, unit)
    type(svg_figure), intent(inout) :: figure
    integer, intent(in) :: left, top
    character(len=*), intent(in) :: title, map, lines, unit
    real(dp), intent(in) :: values(nx, nz), value_range(2)
    real(dp) :: x(2), z(2)
    integer :: west, east, bottom, ceiling_row

    call figure%axes(left, top, 480, 240, [0.0_dp, length / 1000], [0.0_dp, height / 1000], title, "x in km", "z in km")
    call figure%field(values, value_range, map)
    call box(west, east, bottom, ceiling_row)
    x = [(west - 1) * dx, east * dx] / 1000
    z = [(bottom - 1) * dz, ceiling_row * dz] / 1000
    call figure%line([x(1), x(2), x(2), x(1), x(1)], [z(1), z(1), z(2), z(2), z(1)], lines, dash="5 4", width=1.0_dp)
    call figure%colour_bar(value_range, map, unit)
  end subroutine panel

end program flow
