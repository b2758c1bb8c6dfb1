!> Recovers the initial height of the surface from heights observed later.
module shallow_water_experiment
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use demo_support, only: add_noise, print_row
  use shallow_water_model
  use shallow_water_model_b, only: cost_b
  implicit none
  private
  public :: dp, evaluate, make_observations, history_cost, history_error, iterations, record, truth

  real(dp), parameter :: noise = 0.05_dp
  integer, parameter :: longest = 200
  real(dp), protected :: truth(nx, ny), history_cost(0:longest), history_error(0:longest)
  integer, protected :: iterations = 0

contains

  subroutine make_observations()
    real(dp), allocatable :: flat(:)
    real(dp) :: x, y
    integer :: i, j, m

    call make_grid()
    do j = 1, ny
      do i = 1, nx
        x = (i - 0.5_dp) / nx
        y = (j - 0.5_dp) / ny
        truth(i, j) = grid%water(i, j) * (5.0_dp * hill(x - 0.3_dp, y - 0.65_dp, 0.09_dp) &
          - 3.0_dp * hill(x - 0.35_dp, y - 0.3_dp, 0.11_dp) + 2.5_dp * hill(x - 0.8_dp, y - 0.25_dp, 0.07_dp))
      end do
    end do
    call start(truth)
    do m = 1, observations
      call run(steps_between)
      observed(:, :, m) = height(1:nx, 1:ny)
    end do
    flat = reshape(observed, [size(observed)])
    call add_noise(flat, noise)
    observed = reshape(flat, shape(observed))
  end subroutine make_observations

  pure real(dp) function hill(x, y, width)
    real(dp), intent(in) :: x, y, width

    hill = exp(-(x**2 + y**2) / width**2)
  end function hill

  subroutine evaluate(x, j, gradient)
    real(dp), intent(in) :: x(:)
    real(dp), intent(out) :: j, gradient(:)
    real(dp) :: initial(nx, ny), initial_b(nx, ny), j_b, ignored

    initial = reshape(x, [nx, ny])
    call cost(initial, j)
    j_b = 1.0_dp
    initial_b = 0.0_dp
    call cost_b(initial, initial_b, ignored, j_b)
    gradient = reshape(initial_b, [nx * ny])
  end subroutine evaluate

  subroutine record(iteration, x, j, gradient_norm)
    integer, intent(in) :: iteration
    real(dp), intent(in) :: x(:), j, gradient_norm
    real(dp) :: difference(nx, ny)

    difference = grid%water(1:nx, 1:ny) * (reshape(x, [nx, ny]) - truth)
    iterations = min(iteration, longest)
    history_cost(iterations) = j
    history_error(iterations) = norm2(difference) / norm2(truth)
    call print_row(iteration, j, gradient_norm, history_error(iterations))
  end subroutine record

end module shallow_water_experiment

program shallow_water
  use demo_support, only: check_gradient, only_check, print_head, print_last_row
  use lbfgs, only: minimise
  use shallow_water_experiment
  use shallow_water_model, only: grid, nx, ny, observations, observed, run, start, steps_between
  use svg_colours, only: blue, orange
  use svg_plot, only: svg_figure
  implicit none
  real(dp) :: x(nx * ny)

  call make_observations()
  ! The first guess: water at rest. The gradient is checked at another place too, where all terms are at work.
  x = 0.5_dp * reshape(truth, [nx * ny])
  call check_gradient(evaluate, x, scale=1.0_dp)
  x = 0.0_dp
  call check_gradient(evaluate, x, scale=1.0_dp)
  if (only_check()) stop
  call print_head("relative error of the initial height")
  call minimise(evaluate, x, 100, 1.0e-4_dp, 1.0_dp, record)
  call print_last_row()
  call plot("shallow_water.svg")
  print "(/,a)", "picture: shallow_water.svg"

contains

  subroutine plot(file)
    character(len=*), intent(in) :: file
    real(dp), parameter :: heights(2) = [-5.0_dp, 5.0_dp]
    type(svg_figure) :: figure
    real(dp) :: found(nx, ny)
    character(len=64) :: title
    integer :: m

    found = reshape(x, [nx, ny])
    call figure%open(file, 1310, 840, "Shallow water: the initial height recovered from heights observed later")
    do m = 1, observations
      write (title, "(a,i0,a)") "Observed after ", m * steps_between, " steps"
      call panel(figure, 80 + 420 * (m - 1), 80, trim(title), observed(:, :, m), 0.4_dp * heights)
    end do
    call panel(figure, 80, 480, "Initial height: truth", truth, heights)
    call panel(figure, 500, 480, "Initial height: recovered", found, heights)
    call figure%axes(920, 480, 290, 290, [0.0_dp, real(iterations, dp)], [1.0e-3_dp, 2.0_dp], "Convergence", &
      "iteration", "relative to the start", log_y=.true.)
    call figure%line([(real(m, dp), m=0, iterations)], history_cost(:iterations) / history_cost(0), blue, "cost")
    call figure%line([(real(m, dp), m=0, iterations)], history_error(:iterations), orange, "error")
    call figure%legend("top right")
    call figure%close()
  end subroutine plot

  subroutine panel(figure, left, top, title, values, value_range)
    type(svg_figure), intent(inout) :: figure
    integer, intent(in) :: left, top
    character(len=*), intent(in) :: title
    real(dp), intent(in) :: values(nx, ny), value_range(2)

    call figure%axes(left, top, 290, 290, [0.0_dp, nx * grid%dx / 1000], [0.0_dp, ny * grid%dy / 1000], title, &
      "x in km", "y in km")
    call figure%field(values, value_range, "diverging", grid%water(1:nx, 1:ny) > 0.5_dp)
    call figure%colour_bar(value_range, "diverging", "m")
  end subroutine panel

end program shallow_water
