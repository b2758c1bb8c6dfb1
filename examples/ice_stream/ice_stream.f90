!> Recovers the drag under an ice stream from its velocities.
module ice_stream_experiment
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use demo_support, only: add_noise, print_row
  use ice_stream_model, only: cost, velocity
  use ice_stream_model_b, only: cost_b
  implicit none
  private
  public :: dp, evaluate, make_measurements, measured, n, places, record, thickness, truth

  integer, parameter :: n = 200
  real(dp), parameter :: noise = 0.005_dp
  real(dp), protected :: places(n), thickness(n), truth(n), measured(n)

contains

  !> Drag like that of a hard bed, with a slippery reach and a sticky spot.
  subroutine make_measurements()
    integer :: i

    places = [(real(i, dp) / n, i=1, n)]
    thickness = 1.4_dp - 0.8_dp * places
    truth = 0.4_dp * sin(5.0_dp * places) - 1.5_dp * exp(-((places - 0.4_dp) / 0.1_dp)**2) &
      + exp(-((places - 0.75_dp) / 0.05_dp)**2)
    call velocity(n, thickness, truth, measured)
    call add_noise(measured, noise)
  end subroutine make_measurements

  subroutine evaluate(x, j, gradient)
    real(dp), intent(in) :: x(:)
    real(dp), intent(out) :: j, gradient(:)
    real(dp) :: j_b, ignored, thickness_b(n)

    call cost(n, measured, thickness, x, j)
    j_b = 1.0_dp
    gradient = 0.0_dp
    thickness_b = 0.0_dp
    call cost_b(n, measured, thickness, thickness_b, x, gradient, ignored, j_b)
  end subroutine evaluate

  subroutine record(iteration, x, j, gradient_norm)
    integer, intent(in) :: iteration
    real(dp), intent(in) :: x(:), j, gradient_norm

    call print_row(iteration, j, gradient_norm, norm2(exp(x) - exp(truth)) / norm2(exp(truth)))
  end subroutine record

end module ice_stream_experiment

program ice_stream
  use demo_support, only: check_gradient, only_check, print_head, print_last_row
  use ice_stream_experiment
  use ice_stream_model, only: velocity
  use lbfgs, only: minimise
  use svg_colours, only: black, orange
  use svg_plot, only: svg_figure
  implicit none
  real(dp) :: x(n)

  call make_measurements()
  x = 0.0_dp
  call check_gradient(evaluate, x, scale=1.0_dp)
  if (only_check()) stop
  call print_head("relative error of the drag")
  call minimise(evaluate, x, 200, 1.0e-6_dp, 0.5_dp, record)
  call print_last_row()
  call plot("ice_stream.svg")
  print "(/,a)", "picture: ice_stream.svg"

contains

  subroutine plot(file)
    character(len=*), intent(in) :: file
    character(len=*), parameter :: recovered = "#56b4e9"
    type(svg_figure) :: figure
    real(dp) :: guessed(n), found(n), flat(n)

    flat = 0.0_dp
    call velocity(n, thickness, flat, guessed)
    call velocity(n, thickness, x, found)
    call figure%open(file, 900, 780, "Ice stream: the drag recovered from velocities")
    call figure%axes(80, 80, 790, 270, [0.0_dp, 1.0_dp], [0.0_dp, 3.5_dp], "Drag", "place", "drag")
    call figure%line(places, exp(flat), orange, "first guess", dash="6 4")
    call figure%line(places, exp(truth), black, "truth", width=4.0_dp)
    call figure%line(places, exp(x), recovered, "recovered", width=2.0_dp)
    call figure%legend("top right")
    call figure%axes(80, 440, 790, 270, [0.0_dp, 1.0_dp], [0.0_dp, 1.1_dp * max(maxval(measured), maxval(guessed))], &
      "Velocity", "place", "velocity")
    call figure%points(places, measured, black, "measured", radius=1.5_dp)
    call figure%line(places, guessed, orange, "first guess", dash="6 4")
    call figure%line(places, found, recovered, "recovered", width=2.0_dp)
    call figure%legend("top left")
    call figure%close()
  end subroutine plot

end program ice_stream
