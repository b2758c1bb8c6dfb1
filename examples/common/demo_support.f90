!> What the demonstrations share besides the optimiser and the plots.
module demo_support
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use lbfgs, only: objective
  implicit none
  private
  public :: check_gradient, only_check, print_head, print_row, print_last_row, add_noise

  !> A row of the table that was left out, in case it turns out to be the last.
  character(len=64) :: left_out = ""

contains

  !> Whether the program was started with `--check`: verify the gradient and stop.
  logical function only_check()
    character(len=16) :: argument

    call get_command_argument(1, argument)
    only_check = argument == "--check"
  end function only_check

  !> Compares the gradient at x with differences of the cost along a random direction, and ends the program if
  !> they disagree. `scale` is the size of a typical element of x.
  subroutine check_gradient(evaluate, x, scale)
    procedure(objective) :: evaluate
    real(dp), intent(in) :: x(:), scale
    real(dp), parameter :: allowed = 1.0e-6_dp
    real(dp) :: direction(size(x)), gradient(size(x)), cost, slope, from_differences, difference
    integer :: k

    call fix_random_numbers()
    call random_number(direction)
    direction = 2 * direction - 1
    call evaluate(x, cost, gradient)
    slope = dot_product(gradient, direction)
    ! Truncation asks for a small step and rounding for a large one: take the best of several.
    difference = huge(difference)
    do k = 2, 7
      from_differences = difference_quotient(evaluate, x, direction, scale * 10.0_dp**(-k))
      difference = min(difference, abs(from_differences - slope) / abs(slope))
    end do
    print "(a,es10.2)", "gradient check: adjoint against differences, relative difference", difference
    ! Written so that a difference that is not a number fails.
    if (.not. difference <= allowed) error stop "the gradient is wrong"
  end subroutine check_gradient

  !> The derivative of the cost along a direction, by central differences of fourth order.
  real(dp) function difference_quotient(evaluate, x, direction, step)
    procedure(objective) :: evaluate
    real(dp), intent(in) :: x(:), direction(:), step
    real(dp), parameter :: weights(-2:2) = [1.0_dp, -8.0_dp, 0.0_dp, 8.0_dp, -1.0_dp] / 12
    real(dp) :: gradient(size(x)), cost
    integer :: k

    difference_quotient = 0
    do k = -2, 2
      if (k == 0) cycle
      call evaluate(x + k * step * direction, cost, gradient)
      difference_quotient = difference_quotient + weights(k) * cost / step
    end do
  end function difference_quotient

  subroutine print_head(error_name)
    character(len=*), intent(in) :: error_name

    print "(/,a,3x,a)", "iteration          cost  gradient norm", error_name
  end subroutine print_head

  !> One row of the table; after the first ten iterations every tenth.
  subroutine print_row(iteration, cost, gradient_norm, error)
    integer, intent(in) :: iteration
    real(dp), intent(in) :: cost, gradient_norm, error

    write (left_out, "(i9,2x,es12.4,3x,es12.4,3x,es12.4)") iteration, cost, gradient_norm, error
    if (iteration <= 10 .or. mod(iteration, 10) == 0) call print_last_row()
  end subroutine print_row

  !> The end of the table: the last row, unless it is there already.
  subroutine print_last_row()
    if (left_out /= "") print "(a)", trim(left_out)
    left_out = ""
  end subroutine print_last_row

  !> Adds Gaussian noise of the given standard deviation, the same on every run.
  subroutine add_noise(values, deviation)
    real(dp), intent(inout) :: values(:)
    real(dp), intent(in) :: deviation
    real(dp), parameter :: two_pi = 2 * acos(-1.0_dp)
    real(dp) :: radius(size(values)), angle(size(values))

    call fix_random_numbers()
    call random_number(radius)
    call random_number(angle)
    values = values + deviation * sqrt(-2 * log(1 - radius)) * cos(two_pi * angle)
  end subroutine add_noise

  subroutine fix_random_numbers()
    integer :: n, i

    call random_seed(size=n)
    call random_seed(put=[(104729 * i, i=1, n)])
  end subroutine fix_random_numbers

end module demo_support
