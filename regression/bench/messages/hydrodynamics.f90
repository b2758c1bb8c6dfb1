! The steps of ../parallel/hydrodynamics, whose block is cut into slabs of layers, one for each process. Neighbours share the nodes
! between them: what their elements contribute to these is exchanged by messages that don't wait.
module hydrodynamics_halo
  use iso_c_binding, only: c_int, c_double
  use hexahedra, only: connect, gather, volume_gradient, hourglass_forces
  use mpi
  implicit none
  private
  public :: energy
contains
  ! Adds what the neighbours have for the nodes of the lowest and the highest plane, which have so many each.
  subroutine add_shared(ncomponents, nplane, nnodes, field)
    integer, intent(in) :: ncomponents, nplane, nnodes
    real(c_double), intent(inout) :: field(ncomponents,nnodes)
    real(c_double), dimension(ncomponents,nplane) :: lowest, highest, below, above
    integer :: rank, ranks, down, up, requests(4), error
    call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
    call mpi_comm_size(MPI_COMM_WORLD, ranks, error)
    down = merge(rank - 1, MPI_PROC_NULL, rank > 0)
    up = merge(rank + 1, MPI_PROC_NULL, rank < ranks - 1)
    lowest = field(:,:nplane)
    highest = field(:,nnodes-nplane+1:)
    below = 0d0
    above = 0d0
    call mpi_irecv(below, ncomponents*nplane, MPI_DOUBLE_PRECISION, down, 1, MPI_COMM_WORLD, requests(1), error)
    call mpi_irecv(above, ncomponents*nplane, MPI_DOUBLE_PRECISION, up, 2, MPI_COMM_WORLD, requests(2), error)
    call mpi_isend(highest, ncomponents*nplane, MPI_DOUBLE_PRECISION, up, 1, MPI_COMM_WORLD, requests(3), error)
    call mpi_isend(lowest, ncomponents*nplane, MPI_DOUBLE_PRECISION, down, 2, MPI_COMM_WORLD, requests(4), error)
    call mpi_waitall(4, requests, MPI_STATUSES_IGNORE, error)
    field(:,:nplane) = field(:,:nplane) + below
    field(:,nnodes-nplane+1:) = field(:,nnodes-nplane+1:) + above
  end subroutine

  ! The kinetic energy of all processes' nodes after some steps. Each process has nelements/m**2 layers of m by m elements.
  subroutine energy(m, nelements, nnodes, nsteps, courant, shift, v, e, f)
    integer(c_int), intent(in)    :: m, nelements, nnodes, nsteps
    real(c_double), intent(in)    :: courant
    ! How far nodes are from their places in a lattice of cubes, their velocities, and internal energies of elements.
    real(c_double), intent(in)    :: shift(3,nnodes)
    real(c_double), intent(inout) :: v(3,nnodes), e(nelements)
    real(c_double), intent(out)   :: f
    real(c_double), parameter :: gamma = 1.4d0, linear = 0.5d0, quadratic = 2d0, damping = 0.1d0, least = 1d-9
    real(c_double) :: mass(nelements), node_mass(1,nnodes), pressure(nelements), sound(nelements), force(3,8*nelements)
    real(c_double) :: x(3,nnodes), xe(3,8), ve(3,8), b(3,8), fe(3,8), total(3,nnodes)
    real(c_double) :: volume, rate, length, density, viscosity, dt, limit, least_of, own
    integer :: node(8,nelements), first(nnodes+1), corner(8*nelements)
    integer :: step, i, n, c, nplane, rank, ranks, error
    call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
    call mpi_comm_size(MPI_COMM_WORLD, ranks, error)
    call connect(m, nelements, nnodes, node, first, corner)
    nplane = (m+1)**2
    do n = 1, nnodes
      x(1,n) = shift(1,n) + mod(n-1, m+1)
      x(2,n) = shift(2,n) + mod((n-1)/(m+1), m+1)
      x(3,n) = shift(3,n) + (n-1)/nplane + rank*(nelements/m**2)
    end do
    limit = huge(limit)
    do i = 1, nelements
      call gather(nnodes, x, node(:,i), xe)
      call volume_gradient(xe, volume, b)
      mass(i) = volume
      pressure(i) = (gamma - 1d0)*e(i)
      sound(i) = sqrt(gamma*(gamma - 1d0)*e(i))
      limit = min(limit, volume**(1d0/3d0)/sound(i))
    end do
    do n = 1, nnodes
      node_mass(1,n) = 0d0
      do c = first(n), first(n+1) - 1
        node_mass(1,n) = node_mass(1,n) + 0.125d0*mass((corner(c) + 7)/8)
      end do
    end do
    call add_shared(1, nplane, nnodes, node_mass)
    do step = 1, nsteps
      call mpi_allreduce(limit, least_of, 1, MPI_DOUBLE_PRECISION, MPI_MIN, MPI_COMM_WORLD, error)
      dt = courant*least_of
      ! Forces on the corners of each element.
      do i = 1, nelements
        call gather(nnodes, x, node(:,i), xe)
        call gather(nnodes, v, node(:,i), ve)
        call volume_gradient(xe, volume, b)
        fe = pressure(i)*b
        call hourglass_forces(xe, ve, b, volume, damping*mass(i)*sound(i)/(8d0*volume**(1d0/3d0)), fe)
        do c = 1, 8
          force(:,8*(i-1)+c) = fe(:,c)
        end do
      end do
      ! Motion of nodes.
      do n = 1, nnodes
        total(:,n) = 0d0
        do c = first(n), first(n+1) - 1
          total(:,n) = total(:,n) + force(:,corner(c))
        end do
      end do
      call add_shared(3, nplane, nnodes, total)
      do n = 1, nnodes
        v(:,n) = v(:,n) + dt/node_mass(1,n)*total(:,n)
        x(:,n) = x(:,n) + dt*v(:,n)
      end do
      ! Volumes, energies and pressures, and the next time step.
      limit = huge(limit)
      do i = 1, nelements
        call gather(nnodes, x, node(:,i), xe)
        call gather(nnodes, v, node(:,i), ve)
        call volume_gradient(xe, volume, b)
        rate = sum(b*ve)/volume
        length = volume**(1d0/3d0)
        density = mass(i)/volume
        viscosity = 0d0
        if (rate < 0d0) viscosity = density*length*(quadratic*length*rate*rate - linear*sound(i)*rate)
        e(i) = max(e(i) - dt*pressure(i)*rate*volume/mass(i), least)
        pressure(i) = (gamma - 1d0)*density*e(i) + viscosity
        sound(i) = sqrt(gamma*(gamma - 1d0)*e(i))
        limit = min(limit, length/(sound(i) + length*abs(rate)))
      end do
    end do
    ! Nodes of the highest plane are the upper neighbour's.
    own = 0d0
    do n = 1, nnodes - merge(nplane, 0, rank < ranks - 1)
      own = own + 0.5d0*node_mass(1,n)*(v(1,n)**2 + v(2,n)**2 + v(3,n)**2)
    end do
    call mpi_allreduce(own, f, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  end subroutine
end module
