!> Minimisation by L-BFGS with a line search for the weak Wolfe conditions.
module lbfgs
  use, intrinsic :: iso_fortran_env, only: dp => real64
  implicit none
  private
  public :: minimise, objective, observer

  abstract interface
    !> The cost at x and its gradient.
    subroutine objective(x, cost, gradient)
      import :: dp
      real(dp), intent(in) :: x(:)
      real(dp), intent(out) :: cost, gradient(:)
    end subroutine objective

    !> Called after each iteration, to print or record it.
    subroutine observer(iteration, x, cost, gradient_norm)
      import :: dp
      integer, intent(in) :: iteration
      real(dp), intent(in) :: x(:), cost, gradient_norm
    end subroutine observer
  end interface

  !> Pairs of steps and gradient changes that are remembered.
  integer, parameter :: memory = 10

contains

  !> Improves x until the gradient is smaller than `tolerance` times that of the start.
  !> `first_step` is the length of the first trial step, before the curvature is known.
  subroutine minimise(evaluate, x, max_iterations, tolerance, first_step, observe)
    procedure(objective) :: evaluate
    real(dp), intent(inout) :: x(:)
    integer, intent(in) :: max_iterations
    real(dp), intent(in) :: tolerance, first_step
    procedure(observer) :: observe
    real(dp) :: steps(size(x), memory), changes(size(x), memory)
    real(dp) :: gradient(size(x)), direction(size(x)), x_old(size(x)), gradient_old(size(x))
    real(dp) :: cost, goal, first_length
    logical :: moved
    integer :: iteration, kept

    call evaluate(x, cost, gradient)
    call observe(0, x, cost, norm2(gradient))
    goal = tolerance * norm2(gradient)
    kept = 0
    do iteration = 1, max_iterations
      direction = -inverse_hessian_times(gradient, steps(:, :kept), changes(:, :kept))
      first_length = 1
      if (kept == 0) first_length = first_step / norm2(direction)
      x_old = x
      gradient_old = gradient
      call search_line(evaluate, direction, first_length, x, cost, gradient, moved)
      ! No step that lowers the cost: the end of what rounding allows, or of a stale memory.
      if (.not. moved .and. kept == 0) exit
      kept = merge(kept, 0, moved)
      if (.not. moved) cycle
      call observe(iteration, x, cost, norm2(gradient))
      if (norm2(gradient) <= goal) exit
      if (dot_product(x - x_old, gradient - gradient_old) <= 0) cycle
      if (kept == memory) then
        steps(:, :memory - 1) = steps(:, 2:)
        changes(:, :memory - 1) = changes(:, 2:)
      end if
      kept = min(kept + 1, memory)
      steps(:, kept) = x - x_old
      changes(:, kept) = gradient - gradient_old
    end do
  end subroutine minimise

  !> The two-loop recursion, oldest pair first.
  pure function inverse_hessian_times(vector, steps, changes) result(product)
    real(dp), intent(in) :: vector(:), steps(:, :), changes(:, :)
    real(dp) :: product(size(vector)), weights(size(steps, 2)), scale
    integer :: i, pairs

    pairs = size(steps, 2)
    product = vector
    do i = pairs, 1, -1
      scale = dot_product(steps(:, i), changes(:, i))
      weights(i) = dot_product(steps(:, i), product) / scale
      product = product - weights(i) * changes(:, i)
    end do
    if (pairs > 0) product = product * dot_product(steps(:, pairs), changes(:, pairs)) &
        / dot_product(changes(:, pairs), changes(:, pairs))
    do i = 1, pairs
      scale = dot_product(steps(:, i), changes(:, i))
      product = product + (weights(i) - dot_product(changes(:, i), product) / scale) * steps(:, i)
    end do
  end function inverse_hessian_times

  !> Bisection between a step that is too long (the cost is not lowered enough) and one that is too short (the
  !> cost still falls as steeply as before).
  subroutine search_line(evaluate, direction, first_length, x, cost, gradient, moved)
    procedure(objective) :: evaluate
    real(dp), intent(in) :: direction(:), first_length
    real(dp), intent(inout) :: x(:), cost, gradient(:)
    logical, intent(out) :: moved
    real(dp), parameter :: enough = 1.0e-4_dp, flatter = 0.9_dp
    real(dp) :: start(size(x)), first_gradient(size(x)), first_cost, slope, length, shortest, longest
    integer :: trial

    start = x
    first_gradient = gradient
    first_cost = cost
    slope = dot_product(gradient, direction)
    shortest = 0
    longest = huge(longest)
    length = first_length
    do trial = 1, 40
      x = start + length * direction
      call evaluate(x, cost, gradient)
      ! Written so that a cost that is not a number counts as too long a step.
      if (.not. cost <= first_cost + enough * length * slope) then
        longest = length
      else if (dot_product(gradient, direction) < flatter * slope) then
        shortest = length
      else
        exit
      end if
      length = merge(2 * shortest, 0.5_dp * (shortest + longest), longest > 0.5_dp * huge(longest))
    end do
    moved = cost < first_cost
    if (moved) return
    x = start
    cost = first_cost
    gradient = first_gradient
  end subroutine search_line

end module lbfgs
