! Times horizontal diffusion and its gradient on a device, copies to the device and back included.
program time_hdiff
  use iso_c_binding, only: c_int, c_double
  use stopwatch, only: begin, row, runs, took
  implicit none
  integer, parameter :: sizes(3) = [128, 256, 512], levels = 64
  interface
    subroutine kernel(ni, nj, nk, inf, outf, coeff, f) bind(C, name="kernel")
      import c_int, c_double
      integer(c_int), intent(in) :: ni, nj, nk
      real(c_double), intent(in) :: inf(*), coeff(*)
      real(c_double), intent(inout) :: outf(*)
      real(c_double), intent(out) :: f
    end subroutine kernel
    subroutine kernel_b(ni, nj, nk, inf, inf_b, outf, outf_b, coeff, coeff_b, f, f_b) bind(C, name="kernel_b")
      import c_int, c_double
      integer(c_int), intent(in) :: ni, nj, nk
      real(c_double), intent(in) :: inf(*), coeff(*)
      real(c_double), intent(inout) :: inf_b(*), outf(*), outf_b(*), coeff_b(*), f, f_b
    end subroutine kernel_b
  end interface
  real(c_double), allocatable :: inf(:), inf_b(:), outf(:), outf_b(:), coeff(:), coeff_b(:)
  real(c_double) :: f, f_b, primal, gradient
  integer :: k, run, n, points, with_halo

  do k = 1, size(sizes)
    n = sizes(k)
    points = n*n*levels
    with_halo = (n + 4)*(n + 4)*levels
    allocate (inf(with_halo), inf_b(with_halo), outf(points), outf_b(points), coeff(points), coeff_b(points))
    call random_number(inf)
    call random_number(coeff)
    primal = huge(primal)
    gradient = huge(gradient)
    do run = 1, runs
      outf = 0
      call begin()
      call kernel(n, n, levels, inf, outf, coeff, f)
      primal = took(primal)
      inf_b = 0
      outf_b = 0
      coeff_b = 0
      f_b = 1
      call begin()
      call kernel_b(n, n, levels, inf, inf_b, outf, outf_b, coeff, coeff_b, f, f_b)
      gradient = took(gradient)
    end do
    call row('hdiff', points, 1, primal, gradient)
    deallocate (inf, inf_b, outf, outf_b, coeff, coeff_b)
  end do
end program time_hdiff
