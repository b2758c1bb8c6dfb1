!> Recovers the conductivity of a rod from temperatures measured while it warms up.
module heat_experiment
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use demo_support, only: add_noise, print_row
  use heat_model, only: advance, cost
  use heat_model_b, only: cost_b
  implicit none
  private
  public :: dp, evaluate, history, make_measurements, measured, n, record, steps, truth

  integer, parameter :: n = 60, steps = 60
  real(dp), parameter :: noise = 0.002_dp
  real(dp), protected :: truth(0:n), measured(n, steps)

contains

  !> The rod has a smooth part and a badly conducting piece.
  subroutine make_measurements()
    real(dp) :: place, flat(n * steps)
    integer :: i

    do i = 0, n
      place = real(i, dp) / n
      truth(i) = log(0.5_dp) + 0.6_dp * sin(6.0_dp * place)
      if (place > 0.55_dp .and. place < 0.7_dp) truth(i) = log(0.15_dp)
    end do
    flat = reshape(history(truth), [n * steps])
    call add_noise(flat, noise)
    measured = reshape(flat, [n, steps])
  end subroutine make_measurements

  !> The temperatures after each step.
  function history(p) result(temperatures)
    real(dp), intent(in) :: p(0:n)
    real(dp) :: temperatures(n, steps), temperature(n)
    integer :: k

    temperature = 0.0_dp
    do k = 1, steps
      call advance(n, exp(p), temperature)
      temperatures(:, k) = temperature
    end do
  end function history

  subroutine evaluate(x, j, gradient)
    real(dp), intent(in) :: x(:)
    real(dp), intent(out) :: j, gradient(:)
    real(dp) :: j_b, ignored

    call cost(n, steps, measured, x, j)
    j_b = 1.0_dp
    gradient = 0.0_dp
    call cost_b(n, steps, measured, x, gradient, ignored, j_b)
  end subroutine evaluate

  subroutine record(iteration, x, j, gradient_norm)
    integer, intent(in) :: iteration
    real(dp), intent(in) :: x(:), j, gradient_norm

    call print_row(iteration, j, gradient_norm, norm2(exp(x) - exp(truth)) / norm2(exp(truth)))
  end subroutine record

end module heat_experiment

program heat
  use demo_support, only: check_gradient, only_check, print_head, print_last_row
  use heat_experiment
  use lbfgs, only: minimise
  use svg_colours, only: black, blue, green, orange
  use svg_plot, only: svg_figure
  implicit none
  real(dp), parameter :: first_guess = log(0.4_dp)
  real(dp) :: x(0:n)

  call make_measurements()
  x = first_guess
  call check_gradient(evaluate, x, scale=1.0_dp)
  if (only_check()) stop
  call print_head("relative error of the conductivity")
  call minimise(evaluate, x, 200, 1.0e-6_dp, 0.5_dp, record)
  call print_last_row()
  call plot("heat.svg")
  print "(/,a)", "picture: heat.svg"

contains

  subroutine plot(file)
    character(len=*), intent(in) :: file
    integer, parameter :: shown(4) = [1, 5, 15, 60]
    character(len=*), parameter :: colours(4) = [blue, green, orange, black]
    type(svg_figure) :: figure
    real(dp) :: temperatures(n, steps), faces(0:n), centres(n)
    character(len=32) :: label
    integer :: i

    temperatures = history(x)
    faces = [(real(i, dp) / n, i=0, n)]
    centres = [((i - 0.5_dp) / n, i=1, n)]
    call figure%open(file, 900, 780, "Heat conduction: the conductivity recovered from temperatures")
    call figure%axes(80, 80, 790, 270, [0.0_dp, 1.0_dp], [0.0_dp, 1.1_dp], "Conductivity", "place", "conductivity")
    call figure%line(faces, exp(spread(first_guess, 1, n + 1)), orange, "first guess", dash="6 4")
    call figure%line(faces, exp(truth), black, "truth", width=4.0_dp)
    call figure%line(faces, exp(x), "#56b4e9", "recovered", width=2.0_dp)
    call figure%legend("top right")
    call figure%axes(80, 440, 790, 270, [0.0_dp, 1.0_dp], [-0.05_dp, 1.05_dp], &
      "Temperature: measured (points) and of the recovered conductivity (lines)", "place", "temperature")
    do i = 1, size(shown)
      write (label, "(a,i0)") "after step ", shown(i)
      call figure%line(centres, temperatures(:, shown(i)), colours(i), trim(label))
      call figure%points(centres, measured(:, shown(i)), colours(i), radius=2.5_dp)
    end do
    call figure%legend("top right")
    call figure%close()
  end subroutine plot

end program heat
