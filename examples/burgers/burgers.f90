!> Recovers the initial profile of a steepening wave from the profile at the end.
module burgers_experiment
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use burgers_model, only: advance, cost
  use burgers_model_b, only: cost_b
  use demo_support, only: add_noise, print_row
  implicit none
  private
  public :: dp, evaluate, make_measurements, measured, n, place, profile_at_end, record, truth

  integer, parameter :: n = 200, steps = 150
  real(dp), parameter :: dt = 0.002_dp, noise = 0.005_dp
  real(dp), protected :: place(n), truth(n), measured(n)

contains

  subroutine make_measurements()
    real(dp), parameter :: two_pi = 2 * acos(-1.0_dp)
    integer :: i

    place = [((i - 0.5_dp) / n, i=1, n)]
    truth = 0.3_dp + 0.35_dp * sin(two_pi * place) + 0.25_dp * exp(-((place - 0.75_dp) / 0.06_dp)**2)
    measured = profile_at_end(truth)
    call add_noise(measured, noise)
  end subroutine make_measurements

  function profile_at_end(u0) result(u)
    real(dp), intent(in) :: u0(n)
    real(dp) :: u(n)
    integer :: k

    u = u0
    do k = 1, steps
      call advance(n, dt, u)
    end do
  end function profile_at_end

  subroutine evaluate(x, j, gradient)
    real(dp), intent(in) :: x(:)
    real(dp), intent(out) :: j, gradient(:)
    real(dp) :: j_b, ignored

    call cost(n, steps, dt, measured, x, j)
    j_b = 1.0_dp
    gradient = 0.0_dp
    call cost_b(n, steps, dt, measured, x, gradient, ignored, j_b)
  end subroutine evaluate

  subroutine record(iteration, x, j, gradient_norm)
    integer, intent(in) :: iteration
    real(dp), intent(in) :: x(:), j, gradient_norm

    call print_row(iteration, j, gradient_norm, norm2(x - truth) / norm2(truth))
  end subroutine record

end module burgers_experiment

program burgers
  use burgers_experiment
  use demo_support, only: check_gradient, only_check, print_head, print_last_row
  use lbfgs, only: minimise
  use svg_colours, only: black, blue, orange
  use svg_plot, only: svg_figure
  implicit none
  real(dp) :: x(n)

  call make_measurements()
  ! The first guess is the measured profile, as if nothing had moved.
  x = measured
  call check_gradient(evaluate, x, scale=0.01_dp)
  if (only_check()) stop
  call print_head("relative error of the initial profile")
  call minimise(evaluate, x, 200, 1.0e-5_dp, 0.1_dp, record)
  call print_last_row()
  call plot("burgers.svg")
  print "(/,a)", "picture: burgers.svg"

contains

  subroutine plot(file)
    character(len=*), intent(in) :: file
    real(dp), parameter :: across(2) = [0.0_dp, 1.0_dp], up(2) = [-0.15_dp, 0.75_dp]
    type(svg_figure) :: figure

    call figure%open(file, 900, 780, "Burgers equation: the initial profile recovered from the one at the end")
    call figure%axes(80, 80, 790, 270, across, up, "At the start", "place", "velocity")
    call figure%line(place, measured, orange, "first guess", dash="6 4")
    call figure%line(place, truth, black, "truth", width=4.0_dp)
    call figure%line(place, x, "#56b4e9", "recovered", width=2.0_dp)
    call figure%legend("bottom left")
    call figure%axes(80, 440, 790, 270, across, up, "At the end", "place", "velocity")
    call figure%line(place, profile_at_end(truth), black, "truth", width=4.0_dp)
    call figure%line(place, profile_at_end(x), "#56b4e9", "recovered", width=2.0_dp)
    call figure%points(place, measured, blue, "measured", radius=2.5_dp)
    call figure%legend("bottom left")
    call figure%close()
  end subroutine plot

end program burgers
