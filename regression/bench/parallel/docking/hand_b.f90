! The adjoint of docking by hand: a pose at a time, with what its pairs need computed once more.
module docking_hand
  use iso_c_binding, only: c_double
  implicit none
  private
  public :: placement_b, slope
  real(c_double), parameter :: steepness = 30d0, reach_of_charges = 8d0, reach_of_solvent = 2d0
contains
  subroutine placement_b(angles, angles_b, r, r_b)
    real(c_double), intent(in)    :: angles(3), r(3,3), r_b(3,3)
    real(c_double), intent(inout) :: angles_b(3)
    real(c_double) :: s1, c1, s2, c2, s3, c3
    s1 = sin(angles(1))
    c1 = cos(angles(1))
    s2 = sin(angles(2))
    c2 = cos(angles(2))
    s3 = sin(angles(3))
    c3 = cos(angles(3))
    ! Columns 2 and 3 turn into each other.
    angles_b(1) = angles_b(1) + sum(r(:,3)*r_b(:,2)) - sum(r(:,2)*r_b(:,3))
    angles_b(2) = angles_b(2) - s2*(c3*r_b(1,1) + s3*r_b(2,1)) - c2*r_b(3,1) &
                + s1*(c2*(c3*r_b(1,2) + s3*r_b(2,2)) - s2*r_b(3,2)) &
                + c1*(c2*(c3*r_b(1,3) + s3*r_b(2,3)) - s2*r_b(3,3))
    ! Rows 1 and 2 turn into each other.
    angles_b(3) = angles_b(3) + sum(r(1,:)*r_b(2,:)) - sum(r(2,:)*r_b(1,:))
  end subroutine

  ! The derivative of the energy of a pair by its distance.
  pure function slope(distance, radii, charges, water) result(s)
    real(c_double), intent(in) :: distance, radii, charges, water
    real(c_double) :: s, gap, left
    gap = distance - radii
    s = 0d0
    if (gap < 0d0) s = 2d0*steepness*gap
    if (distance < reach_of_charges) then
      left = (1d0 - distance/reach_of_charges)/(distance + 0.5d0)
      s = s - charges*left*(2d0/reach_of_charges + left)
    end if
    if (gap < reach_of_solvent .and. gap > 0d0) s = s + water/reach_of_solvent
  end function
end module

subroutine kernel_b(nposes, nligand, nprotein, poses, poses_b, ligand, protein, energy, energy_b, f, f_b) &
  bind(C, name="kernel_b")
  use iso_c_binding, only: c_int, c_double
  use force_field, only: placement
  use docking_hand, only: placement_b, slope
  implicit none
  integer(c_int), intent(in)    :: nposes, nligand, nprotein
  real(c_double), intent(in)    :: poses(6,nposes), ligand(6,nligand), protein(6,nprotein)
  real(c_double), intent(inout) :: poses_b(6,nposes), energy(nposes), energy_b(nposes), f, f_b
  real(c_double) :: r(3,3), r_b(3,3), at(3), at_b(3), dx, dy, dz, distance, bx, by, bz, w
  integer :: p, i, j
  !$omp parallel do private(i, j, r, r_b, at, at_b, dx, dy, dz, distance, bx, by, bz, w)
  do p = 1, nposes
    call placement(poses(1:3,p), r)
    r_b = 0d0
    do i = 1, nligand
      at = matmul(r, ligand(1:3,i)) + poses(4:6,p)
      bx = 0d0
      by = 0d0
      bz = 0d0
      do j = 1, nprotein
        dx = at(1) - protein(1,j)
        dy = at(2) - protein(2,j)
        dz = at(3) - protein(3,j)
        distance = sqrt(dx*dx + dy*dy + dz*dz)
        w = slope(distance, ligand(4,i) + protein(4,j), ligand(5,i)*protein(5,j), ligand(6,i) + protein(6,j))/distance
        bx = bx + w*dx
        by = by + w*dy
        bz = bz + w*dz
      end do
      at_b = [bx, by, bz]*(energy_b(p) + f_b)
      poses_b(4:6,p) = poses_b(4:6,p) + at_b
      r_b(:,1) = r_b(:,1) + at_b*ligand(1,i)
      r_b(:,2) = r_b(:,2) + at_b*ligand(2,i)
      r_b(:,3) = r_b(:,3) + at_b*ligand(3,i)
    end do
    call placement_b(poses(1:3,p), poses_b(1:3,p), r, r_b)
    energy_b(p) = 0d0
  end do
  f_b = 0d0
end subroutine
