! Times the flow model of the examples and its gradient on a device, copies to the device and back included.
program time_flow
  use iso_c_binding, only: c_double
  use flow_model, only: final_energy, make_grid, nx, nz, thermal
  use flow_model_b, only: final_energy_b
  use stopwatch, only: begin, row, runs, took
  implicit none
  integer, parameter :: sizes(3) = [256, 512, 1024], steps = 40
  real(c_double), allocatable :: theta(:, :), theta_b(:, :)
  real(c_double) :: energy, energy_b, primal, gradient
  integer :: k, run

  do k = 1, size(sizes)
    nx = sizes(k)
    nz = sizes(k)/2
    call make_grid()
    allocate (theta(nx, nz), theta_b(nx, nz))
    call thermal(2.0_c_double, theta)
    primal = huge(primal)
    gradient = huge(gradient)
    do run = 1, runs
      call begin()
      call final_energy(theta, steps, energy)
      primal = took(primal)
      theta_b = 0
      energy_b = 1
      call begin()
      call final_energy_b(theta, theta_b, steps, energy, energy_b)
      gradient = took(gradient)
    end do
    call row('flow', nx*nz, steps, primal, gradient)
    deallocate (theta, theta_b)
  end do
end program time_flow
