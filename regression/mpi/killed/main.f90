! Runs the adjoint of the model.
program main
  use m
  use m_b
  implicit none
  integer, parameter :: n = 1000
  real(8) :: x(n), x_b(n), y(n), y_b(n)
  integer :: ierr
  call mpi_init(ierr)
  x = 0.1d0
  x_b = 0
  y_b = 1
  call f_b(n, 20, x, x_b, y, y_b)
  call mpi_finalize(ierr)
end program
