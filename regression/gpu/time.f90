! Times a kernel and its gradient on a device: wall-clock time, the least of several runs, copies to the device and back
! included in both. The macro `jacobi_2d` or `heat_3d` says which kernel.
program time_kernel
  use iso_c_binding, only: c_int, c_double
  implicit none
#if defined(jacobi_2d)
  integer, parameter :: rank = 2, sizes(3) = [1000, 2000, 4000]
  character(*), parameter :: name = 'jacobi_2d'
#else
  integer, parameter :: rank = 3, sizes(3) = [100, 160, 250]
  character(*), parameter :: name = 'heat_3d'
#endif
  integer, parameter :: steps = 100, runs = 5
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
  integer(8) :: from, to, rate
  integer :: k, run, points
  do k = 1, size(sizes)
    points = sizes(k)**rank
    allocate (a(points), b(points), a_b(points), b_b(points))
    primal = huge(primal)
    gradient = huge(gradient)
    do run = 1, runs
      call random_number(a)
      b = a
      call system_clock(from, rate)
      call kernel(sizes(k), steps, a, b, f)
      call system_clock(to)
      primal = min(primal, 1e3_c_double*(to - from)/rate)
      b = a
      a_b = 0
      b_b = 0
      f_b = 1
      call system_clock(from)
      call kernel_b(sizes(k), steps, a, a_b, b, b_b, f, f_b)
      call system_clock(to)
      gradient = min(gradient, 1e3_c_double*(to - from)/rate)
    end do
    print '(a,i12,i6,2f12.2,f8.2)', name, points, steps, primal, gradient, gradient/primal
    deallocate (a, b, a_b, b_b)
  end do
end program time_kernel
