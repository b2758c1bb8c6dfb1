! docking: energies of a ligand in many poses before a protein: all pairs of their atoms, poses are shared out. f is the
! sum of all energies. On a device, a thread for each pose.
module force_field
  use iso_c_binding, only: c_double
  implicit none
  private
  public :: placement, pair_energy
  real(c_double), parameter :: steepness = 30d0, reach_of_charges = 8d0, reach_of_solvent = 2d0
contains
  ! The rotation by three angles, about x, then y, then z.
  subroutine placement(angles, r)
    !$acc routine seq
    real(c_double), intent(in)  :: angles(3)
    real(c_double), intent(out) :: r(3,3)
    real(c_double) :: s(3), c(3)
    s = sin(angles)
    c = cos(angles)
    r(1,1) = c(2)*c(3)
    r(1,2) = s(1)*s(2)*c(3) - c(1)*s(3)
    r(1,3) = c(1)*s(2)*c(3) + s(1)*s(3)
    r(2,1) = c(2)*s(3)
    r(2,2) = s(1)*s(2)*s(3) + c(1)*c(3)
    r(2,3) = c(1)*s(2)*s(3) - s(1)*c(3)
    r(3,1) = -s(2)
    r(3,2) = s(1)*c(2)
    r(3,3) = c(1)*c(2)
  end subroutine

  ! Energy of two atoms at a distance: repulsion where they overlap, charges that a switch takes to zero, and what it
  ! costs to drive water from between hydrophobic surfaces.
  pure function pair_energy(distance, radii, charges, water) result(e)
    !$acc routine seq
    real(c_double), intent(in) :: distance, radii, charges, water
    real(c_double) :: e, gap
    gap = distance - radii
    e = 0d0
    if (gap < 0d0) e = e + steepness*gap*gap
    if (distance < reach_of_charges) e = e + charges*(1d0 - distance/reach_of_charges)**2/(distance + 0.5d0)
    if (gap < reach_of_solvent) then
      if (gap > 0d0) then
        e = e - water*(1d0 - gap/reach_of_solvent)
      else
        e = e - water
      end if
    end if
  end function
end module

subroutine kernel(nposes, nligand, nprotein, poses, ligand, protein, energy, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  use force_field, only: placement, pair_energy
  implicit none
  integer(c_int), intent(in)    :: nposes, nligand, nprotein
  real(c_double), intent(in)    :: poses(6,nposes)
  ! Of each atom: place, radius, charge, hydrophobicity.
  real(c_double), intent(in)    :: ligand(6,nligand), protein(6,nprotein)
  real(c_double), intent(inout) :: energy(nposes)
  real(c_double), intent(out)   :: f
  real(c_double) :: r(3,3), at(3), total, dx, dy, dz, distance
  integer :: p, i, j
  !$acc data copyin(poses, ligand, protein) copyout(energy)
  !$acc parallel loop gang vector default(present) private(r, at)
  do p = 1, nposes
    call placement(poses(1:3,p), r)
    total = 0d0
    do i = 1, nligand
      do j = 1, 3
        at(j) = r(j,1)*ligand(1,i) + r(j,2)*ligand(2,i) + r(j,3)*ligand(3,i) + poses(j+3,p)
      end do
      do j = 1, nprotein
        dx = at(1) - protein(1,j)
        dy = at(2) - protein(2,j)
        dz = at(3) - protein(3,j)
        distance = sqrt(dx*dx + dy*dy + dz*dz)
        total = total + pair_energy(distance, ligand(4,i) + protein(4,j), ligand(5,i)*protein(5,j), &
                                    ligand(6,i) + protein(6,j))
      end do
    end do
    energy(p) = total
  end do
  f = 0d0
  !$acc parallel loop default(present) copy(f) reduction(+: f)
  do p = 1, nposes
    f = f + energy(p)
  end do
  !$acc end data
end subroutine
