!> Recovers the initial state of a chaotic trajectory from noisy observations of it.
module lorenz_experiment
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use demo_support, only: add_noise, print_row
  use lorenz_model, only: cost, step, steps_between
  use lorenz_model_b, only: cost_b
  implicit none
  private
  public :: dp, evaluate, make_observations, observations, record, trajectory, truth

  integer, parameter :: n = 30
  real(dp), parameter :: truth(3) = [1.51_dp, -1.53_dp, 25.46_dp], noise = 0.3_dp
  real(dp), protected :: observations(3, n)

contains

  subroutine make_observations()
    real(dp) :: states(3, 0:n * steps_between), flat(3 * n)

    states = trajectory(truth)
    flat = reshape(states(:, steps_between::steps_between), [3 * n])
    call add_noise(flat, noise)
    observations = reshape(flat, [3, n])
  end subroutine make_observations

  !> All states from the initial one to the time of the last observation.
  function trajectory(x0) result(states)
    real(dp), intent(in) :: x0(3)
    real(dp) :: states(3, 0:n * steps_between)
    integer :: i

    states(:, 0) = x0
    do i = 1, n * steps_between
      states(:, i) = states(:, i - 1)
      call step(states(:, i))
    end do
  end function trajectory

  subroutine evaluate(x, j, gradient)
    real(dp), intent(in) :: x(:)
    real(dp), intent(out) :: j, gradient(:)
    real(dp) :: j_b, ignored

    call cost(n, observations, x, j)
    j_b = 1.0_dp
    gradient = 0.0_dp
    call cost_b(n, observations, x, gradient, ignored, j_b)
  end subroutine evaluate

  subroutine record(iteration, x, j, gradient_norm)
    integer, intent(in) :: iteration
    real(dp), intent(in) :: x(:), j, gradient_norm

    call print_row(iteration, j, gradient_norm, norm2(x - truth))
  end subroutine record

end module lorenz_experiment

program lorenz
  use demo_support, only: check_gradient, only_check, print_head, print_last_row
  use lbfgs, only: minimise
  use lorenz_experiment
  use svg_colours, only: black, blue, orange
  use svg_plot, only: svg_figure
  implicit none
  real(dp), parameter :: first_guess(3) = [2.0_dp, -2.5_dp, 24.0_dp]
  real(dp) :: x(3)

  call make_observations()
  x = first_guess
  call check_gradient(evaluate, x, scale=1.0_dp)
  if (only_check()) stop
  call print_head("error of the initial state")
  call minimise(evaluate, x, 60, 1.0e-8_dp, 0.1_dp, record)
  call print_last_row()
  print "(/,a,3f10.5)", "true initial state     ", truth
  print "(a,3f10.5)", "recovered initial state", x
  call plot("lorenz.svg")
  print "(/,a)", "picture: lorenz.svg"

contains

  subroutine plot(file)
    character(len=*), intent(in) :: file
    character(len=1), parameter :: names(3) = ["x", "y", "z"]
    real(dp), parameter :: lowest(3) = [-22.0_dp, -28.0_dp, 0.0_dp], highest(3) = [22.0_dp, 28.0_dp, 50.0_dp]
    type(svg_figure) :: figure
    real(dp), allocatable :: true_states(:, :), guessed(:, :), found(:, :), time(:), observed_time(:)
    real(dp) :: end_time
    integer :: i

    allocate (true_states, source=trajectory(truth))
    allocate (guessed, source=trajectory(first_guess))
    allocate (found, source=trajectory(x))
    time = [(0.01_dp * i, i=0, size(found, 2) - 1)]
    end_time = time(size(time))
    observed_time = [(end_time * i / size(observations, 2), i=1, size(observations, 2))]

    call figure%open(file, 900, 880, "Lorenz equations: the initial state recovered from noisy observations")
    do i = 1, 3
      call figure%axes(80, 80 + 270 * (i - 1), 790, 200, [0.0_dp, end_time], [lowest(i), highest(i)], "", "time", names(i))
      call figure%line(time, guessed(i, :), orange, "first guess", dash="6 4")
      call figure%line(time, true_states(i, :), black, "truth", width=4.0_dp)
      call figure%line(time, found(i, :), "#56b4e9", "recovered", width=2.0_dp)
      call figure%points(observed_time, observations(i, :), blue, "observations", radius=4.0_dp)
      if (i == 1) call figure%legend("bottom left")
    end do
    call figure%close()
  end subroutine plot

end program lorenz
