! Times energies of docking and their gradient by the poses on a device, copies to the device and back included.
program time_docking
  use iso_c_binding, only: c_int, c_double
  use stopwatch, only: begin, row, runs, took
  implicit none
  integer, parameter :: sizes(3) = [16384, 65536, 262144], ligands = 20, proteins = 300
  interface
    subroutine kernel(nposes, nligand, nprotein, poses, ligand, protein, energy, f) bind(C, name="kernel")
      import c_int, c_double
      integer(c_int), intent(in) :: nposes, nligand, nprotein
      real(c_double), intent(in) :: poses(*), ligand(*), protein(*)
      real(c_double), intent(inout) :: energy(*)
      real(c_double), intent(out) :: f
    end subroutine kernel
    subroutine kernel_b(nposes, nligand, nprotein, poses, poses_b, ligand, protein, energy, energy_b, f, f_b) &
      bind(C, name="kernel_b")
      import c_int, c_double
      integer(c_int), intent(in) :: nposes, nligand, nprotein
      real(c_double), intent(in) :: poses(*), ligand(*), protein(*)
      real(c_double), intent(inout) :: poses_b(*), energy(*), energy_b(*), f, f_b
    end subroutine kernel_b
  end interface
  real(c_double), allocatable :: poses(:), poses_b(:), energy(:), energy_b(:)
  real(c_double) :: ligand(6*ligands), protein(6*proteins), f, f_b, primal, gradient
  integer :: k, run, n

  call random_number(ligand)
  call random_number(protein)
  protein = 10*protein
  do k = 1, size(sizes)
    n = sizes(k)
    allocate (poses(6*n), poses_b(6*n), energy(n), energy_b(n))
    call random_number(poses)
    primal = huge(primal)
    gradient = huge(gradient)
    do run = 1, runs
      call begin()
      call kernel(n, ligands, proteins, poses, ligand, protein, energy, f)
      primal = took(primal)
      poses_b = 0
      energy_b = 0
      f_b = 1
      call begin()
      call kernel_b(n, ligands, proteins, poses, poses_b, ligand, protein, energy, energy_b, f, f_b)
      gradient = took(gradient)
    end do
    call row('docking', n, 1, primal, gradient)
    deallocate (poses, poses_b, energy, energy_b)
  end do
end program time_docking
