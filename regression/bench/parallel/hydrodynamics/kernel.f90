! hydrodynamics: explicit Lagrangian steps of an ideal gas on hexahedra, whose nodes are found through tables: elements gather
! from their nodes, nodes from the corners of elements that meet there. f is the kinetic energy at the end.
! Lines that begin with `! $ad` are what a user may ask for; they are comments here.
module hexahedra
  use iso_c_binding, only: c_int, c_double
  implicit none
  private
  public :: connect, gather, volume_gradient, hourglass_forces
  ! Corners in the cycle of the lower face, then of the upper face; faces have their normals outside.
  integer, parameter :: face(4,6) = reshape([1,4,3,2, 5,6,7,8, 1,2,6,5, 2,3,7,6, 3,4,8,7, 4,1,5,8], [4,6])
  ! Motions of corners that leave the volume and its gradient as they are.
  real(c_double), parameter :: shape_of(8,4) = reshape([1d0,1d0,-1d0,-1d0,-1d0,-1d0,1d0,1d0, &
    1d0,-1d0,-1d0,1d0,-1d0,1d0,1d0,-1d0, 1d0,-1d0,1d0,-1d0,1d0,-1d0,1d0,-1d0, -1d0,1d0,-1d0,1d0,1d0,-1d0,1d0,-1d0], [8,4])
contains
  ! The nodes of each element of a block with layers of m by m elements, and for each node where its corners stand in a list of all corners.
  subroutine connect(m, nelements, nnodes, node, first, corner)
    integer(c_int), intent(in) :: m, nelements, nnodes
    integer, intent(out) :: node(8,nelements), first(nnodes+1), corner(8*nelements)
    integer :: i, j, k, e, n, c, found(nnodes)
    do k = 1, nelements/m**2
      do j = 1, m
        do i = 1, m
          e = i + m*(j-1 + m*(k-1))
          n = i + (m+1)*(j-1 + (m+1)*(k-1))
          node(1:4,e) = [n, n+1, n+m+2, n+m+1]
          node(5:8,e) = node(1:4,e) + (m+1)**2
        end do
      end do
    end do
    found = 0
    do e = 1, nelements
      do c = 1, 8
        found(node(c,e)) = found(node(c,e)) + 1
      end do
    end do
    first(1) = 1
    do n = 1, nnodes
      first(n+1) = first(n) + found(n)
    end do
    found = 0
    do e = 1, nelements
      do c = 1, 8
        n = node(c,e)
        corner(first(n) + found(n)) = c + 8*(e-1)
        found(n) = found(n) + 1
      end do
    end do
  end subroutine

  ! What the corners of an element have of a field on nodes.
  subroutine gather(nnodes, field, node, local)
    integer(c_int), intent(in)  :: nnodes
    real(c_double), intent(in)  :: field(3,nnodes)
    integer, intent(in)         :: node(8)
    real(c_double), intent(out) :: local(3,8)
    integer :: c
    do c = 1, 8
      local(:,c) = field(:,node(c))
    end do
  end subroutine

  ! The volume of an element and its derivatives by the places of corners: the mean of both ways to cut faces into triangles.
  subroutine volume_gradient(x, volume, b)
    real(c_double), intent(in)  :: x(3,8)
    real(c_double), intent(out) :: volume, b(3,8)
    real(c_double) :: p(3), q(3), r(3)
    integer :: s, c
    b = 0d0
    do s = 1, 6
      do c = 1, 4
        p = x(:,face(mod(c,4)+1,s))
        q = x(:,face(mod(c+1,4)+1,s))
        r = x(:,face(mod(c+2,4)+1,s))
        b(1,face(c,s)) = b(1,face(c,s)) + p(2)*q(3) - p(3)*q(2) + q(2)*r(3) - q(3)*r(2) + p(2)*r(3) - p(3)*r(2)
        b(2,face(c,s)) = b(2,face(c,s)) + p(3)*q(1) - p(1)*q(3) + q(3)*r(1) - q(1)*r(3) + p(3)*r(1) - p(1)*r(3)
        b(3,face(c,s)) = b(3,face(c,s)) + p(1)*q(2) - p(2)*q(1) + q(1)*r(2) - q(2)*r(1) + p(1)*r(2) - p(2)*r(1)
      end do
    end do
    b = b/12d0
    volume = sum(x*b)/3d0
  end subroutine

  ! Damping of motions that the volume doesn't see.
  subroutine hourglass_forces(x, v, b, volume, strength, force)
    real(c_double), intent(in)    :: x(3,8), v(3,8), b(3,8), volume, strength
    real(c_double), intent(inout) :: force(3,8)
    real(c_double) :: shape(8), s(3), rate(3)
    integer :: h, c
    do h = 1, 4
      s = matmul(x, shape_of(:,h))/volume
      do c = 1, 8
        shape(c) = shape_of(c,h) - (b(1,c)*s(1) + b(2,c)*s(2) + b(3,c)*s(3))
      end do
      rate = strength*matmul(v, shape)
      do c = 1, 8
        force(:,c) = force(:,c) - rate*shape(c)
      end do
    end do
  end subroutine
end module

subroutine kernel(m, nelements, nnodes, nsteps, courant, shift, v, e, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  use hexahedra, only: connect, gather, volume_gradient, hourglass_forces
  implicit none
  integer(c_int), intent(in)    :: m, nelements, nnodes, nsteps
  real(c_double), intent(in)    :: courant
  ! How far nodes are from their places in a lattice of cubes, their velocities, and internal energies of elements.
  real(c_double), intent(in)    :: shift(3,nnodes)
  real(c_double), intent(inout) :: v(3,nnodes), e(nelements)
  real(c_double), intent(out)   :: f
  real(c_double), parameter :: gamma = 1.4d0, linear = 0.5d0, quadratic = 2d0, damping = 0.1d0, least = 1d-9
  real(c_double) :: mass(nelements), node_mass(nnodes), pressure(nelements), sound(nelements), force(3,8*nelements)
  real(c_double) :: x(3,nnodes), xe(3,8), ve(3,8), b(3,8), fe(3,8), total(3)
  real(c_double) :: volume, rate, length, density, viscosity, dt, limit
  integer :: node(8,nelements), first(nnodes+1), corner(8*nelements)
  integer :: step, i, n, c
  call connect(m, nelements, nnodes, node, first, corner)
  !$omp parallel do
  do n = 1, nnodes
    x(1,n) = shift(1,n) + mod(n-1, m+1)
    x(2,n) = shift(2,n) + mod((n-1)/(m+1), m+1)
    x(3,n) = shift(3,n) + (n-1)/(m+1)**2
  end do
  limit = huge(limit)
  ! $ad parallel strategy(reduction: x)
  !$omp parallel do private(xe, b, volume) reduction(min: limit)
  do i = 1, nelements
    call gather(nnodes, x, node(:,i), xe)
    call volume_gradient(xe, volume, b)
    mass(i) = volume
    pressure(i) = (gamma - 1d0)*e(i)
    sound(i) = sqrt(gamma*(gamma - 1d0)*e(i))
    limit = min(limit, volume**(1d0/3d0)/sound(i))
  end do
  ! $ad parallel strategy(reduction: mass)
  !$omp parallel do private(c)
  do n = 1, nnodes
    node_mass(n) = 0d0
    do c = first(n), first(n+1) - 1
      node_mass(n) = node_mass(n) + 0.125d0*mass((corner(c) + 7)/8)
    end do
  end do
  ! $ad checkpoint schedule(store-all)
  do step = 1, nsteps
    dt = courant*limit
    ! Forces on the corners of each element.
    ! $ad parallel strategy(reduction: x) strategy(reduction: v)
    !$omp parallel do private(xe, ve, b, fe, volume, c)
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
    ! $ad parallel strategy(shared: force)
    !$omp parallel do private(total, c)
    do n = 1, nnodes
      total = 0d0
      do c = first(n), first(n+1) - 1
        total = total + force(:,corner(c))
      end do
      v(:,n) = v(:,n) + dt/node_mass(n)*total
      x(:,n) = x(:,n) + dt*v(:,n)
    end do
    ! Volumes, energies and pressures, and the next time step.
    limit = huge(limit)
    ! $ad parallel strategy(reduction: x) strategy(reduction: v)
    !$omp parallel do private(xe, ve, b, volume, rate, length, density, viscosity) reduction(min: limit)
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
  f = 0d0
  !$omp parallel do reduction(+: f)
  do n = 1, nnodes
    f = f + 0.5d0*node_mass(n)*(v(1,n)**2 + v(2,n)**2 + v(3,n)**2)
  end do
end subroutine
