! Times a stencil and its gradient on a device: copies to the device and back are included in both. The macro `jacobi_2d` or
! `heat_3d` says which kernel.
program time_stencils
  use iso_c_binding, only: c_int, c_double
  use stopwatch, only: begin, row, runs, took
  implicit none
#if defined(jacobi_2d)
  integer, parameter :: rank = 2, sizes(3) = [1000, 2000, 4000]
  character(*), parameter :: name = 'jacobi_2d'
#else
  integer, parameter :: rank = 3, sizes(3) = [100, 160, 250]
  character(*), parameter :: name = 'heat_3d'
#endif
  integer, parameter :: steps = 100
  interface
    subroutine kernel(n, tsteps, a, b, f) bind(C, name="kernel")
      import c_int, c_double
      integer(c_int), intent(in) :: n, tsteps
      real(c_double), intent(inout) :: a(*), b(*)
      real(c_double), intent(out) :: f
    end subroutine kernel
    subroutine kernel_b(n, tsteps, a, a_b, b, b_b, f, f_b) bind(C, name="kernel_b")
      import c_int, c_double
      integer(c_int), intent(in) :: n, tsteps
      real(c_double), intent(inout) :: a(*), a_b(*), b(*), b_b(*), f, f_b
    end subroutine kernel_b
  end interface
  real(c_double), allocatable :: a(:), b(:), a_b(:), b_b(:)
  real(c_double) :: f, f_b, primal, gradient
  integer :: k, run, points

  do k = 1, size(sizes)
    points = sizes(k)**rank
    allocate (a(points), b(points), a_b(points), b_b(points))
    primal = huge(primal)
    gradient = huge(gradient)
    do run = 1, runs
      call random_number(a)
      b = a
      call begin()
      call kernel(sizes(k), steps, a, b, f)
      primal = took(primal)
      b = a
      a_b = 0
      b_b = 0
      f_b = 1
      call begin()
      call kernel_b(sizes(k), steps, a, a_b, b, b_b, f, f_b)
      gradient = took(gradient)
    end do
    call row(name, points, steps, primal, gradient)
    deallocate (a, b, a_b, b_b)
  end do
end program time_stencils
