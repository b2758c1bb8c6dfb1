! The adjoint of hydrodynamics by hand: the state of every step is kept, elements write what their corners contribute, and nodes
! sum that up through the table of corners. Nothing is updated by two threads.
module hydrodynamics_hand
  use iso_c_binding, only: c_int, c_double
  implicit none
  private
  public :: gradient_change, hourglass_b
  ! As in hexahedra.
  integer, parameter :: face(4,6) = reshape([1,4,3,2, 5,6,7,8, 1,2,6,5, 2,3,7,6, 3,4,8,7, 4,1,5,8], [4,6])
  real(c_double), parameter :: shape_of(8,4) = reshape([1d0,1d0,-1d0,-1d0,-1d0,-1d0,1d0,1d0, &
    1d0,-1d0,-1d0,1d0,-1d0,1d0,1d0,-1d0, 1d0,-1d0,1d0,-1d0,1d0,-1d0,1d0,-1d0, -1d0,1d0,-1d0,1d0,1d0,-1d0,1d0,-1d0], [8,4])
contains
  ! The second derivatives of the volume times a direction, added to r: they're symmetric, so adjoint and tangent are one.
  subroutine gradient_change(x, d, r)
    real(c_double), intent(in)    :: x(3,8), d(3,8)
    real(c_double), intent(inout) :: r(3,8)
    real(c_double) :: change(3,8)
    integer :: s, c, i, j, k, n2, n3, n4
    change = 0d0
    do s = 1, 6
      do c = 1, 4
        n2 = face(mod(c,4)+1,s)
        n3 = face(mod(c+1,4)+1,s)
        n4 = face(mod(c+2,4)+1,s)
        do i = 1, 3
          j = mod(i,3) + 1
          k = mod(i+1,3) + 1
          change(i,face(c,s)) = change(i,face(c,s)) &
            + x(j,n2)*(d(k,n3) + d(k,n4)) - x(k,n2)*(d(j,n3) + d(j,n4)) &
            + d(j,n2)*(x(k,n3) + x(k,n4)) - d(k,n2)*(x(j,n3) + x(j,n4)) &
            + x(j,n3)*d(k,n4) - x(k,n3)*d(j,n4) + d(j,n3)*x(k,n4) - d(k,n3)*x(j,n4)
        end do
      end do
    end do
    r = r + change/12d0
  end subroutine

  subroutine hourglass_b(x, x_b, v, v_b, b, b_b, volume, volume_b, strength, strength_b, force_b)
    real(c_double), intent(in)    :: x(3,8), v(3,8), b(3,8), volume, strength, force_b(3,8)
    real(c_double), intent(inout) :: x_b(3,8), v_b(3,8), b_b(3,8), volume_b, strength_b
    real(c_double) :: shape(8), shape_b(8), s(3), s_b(3), rate(3), rate_b(3)
    integer :: h, c
    do h = 1, 4
      s = matmul(x, shape_of(:,h))/volume
      shape = shape_of(:,h) - matmul(s, b)
      rate = matmul(v, shape)
      rate_b = -matmul(force_b, shape)
      strength_b = strength_b + sum(rate*rate_b)
      rate_b = strength*rate_b
      shape_b = matmul(rate_b, v) - strength*matmul(rate, force_b)
      s_b = -matmul(b, shape_b)/volume
      volume_b = volume_b - sum(s*s_b)
      do c = 1, 8
        v_b(:,c) = v_b(:,c) + rate_b*shape(c)
        b_b(:,c) = b_b(:,c) - s*shape_b(c)
        x_b(:,c) = x_b(:,c) + s_b*shape_of(c,h)
      end do
    end do
  end subroutine
end module

subroutine kernel_b(m, nelements, nnodes, nsteps, courant, shift, shift_b, v, v_b, e, e_b, f, f_b) bind(C, name="kernel_b")
  use iso_c_binding, only: c_int, c_double
  use hexahedra, only: connect, gather, volume_gradient, hourglass_forces
  use hydrodynamics_hand, only: gradient_change, hourglass_b
  implicit none
  integer(c_int), intent(in)    :: m, nelements, nnodes, nsteps
  real(c_double), intent(in)    :: courant, shift(3,nnodes)
  real(c_double), intent(inout) :: shift_b(3,nnodes), v(3,nnodes), v_b(3,nnodes), e(nelements), e_b(nelements), f, f_b
  real(c_double), parameter :: gamma = 1.4d0, linear = 0.5d0, quadratic = 2d0, damping = 0.1d0, least = 1d-9
  real(c_double), allocatable :: x(:,:,:), vs(:,:,:), es(:,:), pressure(:,:), sound(:,:)
  real(c_double) :: mass(nelements), node_mass(nnodes), force(3,8*nelements), limit(0:nsteps), limit_b, dt, dt_b
  real(c_double) :: mass_b(nelements), node_mass_b(nnodes), pressure_b(nelements), sound_b(nelements)
  real(c_double) :: xc_b(3,8*nelements), vc_b(3,8*nelements), x_b(3,nnodes), total_b(3,nnodes)
  real(c_double) :: xe(3,8), ve(3,8), b(3,8), fe(3,8), xe_b(3,8), ve_b(3,8), b_b(3,8), fe_b(3,8), total(3), moved(3)
  real(c_double) :: volume, volume_b, flux, flux_b, rate, rate_b, length, length_b, density, density_b, viscosity
  real(c_double) :: k, k_b, least_of, w, new
  integer :: node(8,nelements), first(nnodes+1), corner(8*nelements), step, i, n, c
  allocate(x(3,nnodes,0:nsteps), vs(3,nnodes,0:nsteps), es(nelements,0:nsteps), pressure(nelements,0:nsteps), &
           sound(nelements,0:nsteps))
  call connect(m, nelements, nnodes, node, first, corner)
  least_of = huge(least_of)
  !$omp parallel private(xe, ve, b, fe, total, volume, flux, rate, length, density, viscosity, dt, c, step)
  !$omp do
  do n = 1, nnodes
    x(1,n,0) = shift(1,n) + mod(n-1, m+1)
    x(2,n,0) = shift(2,n) + mod((n-1)/(m+1), m+1)
    x(3,n,0) = shift(3,n) + (n-1)/(m+1)**2
    vs(:,n,0) = v(:,n)
  end do
  !$omp do reduction(min: least_of)
  do i = 1, nelements
    call gather(nnodes, x(:,:,0), node(:,i), xe)
    call volume_gradient(xe, volume, b)
    mass(i) = volume
    es(i,0) = e(i)
    pressure(i,0) = (gamma - 1d0)*e(i)
    sound(i,0) = sqrt(gamma*(gamma - 1d0)*e(i))
    least_of = min(least_of, volume**(1d0/3d0)/sound(i,0))
  end do
  !$omp do
  do n = 1, nnodes
    node_mass(n) = 0d0
    do c = first(n), first(n+1) - 1
      node_mass(n) = node_mass(n) + 0.125d0*mass((corner(c) + 7)/8)
    end do
  end do
  do step = 1, nsteps
    !$omp single
    limit(step-1) = least_of
    least_of = huge(least_of)
    !$omp end single
    dt = courant*limit(step-1)
    !$omp do
    do i = 1, nelements
      call gather(nnodes, x(:,:,step-1), node(:,i), xe)
      call gather(nnodes, vs(:,:,step-1), node(:,i), ve)
      call volume_gradient(xe, volume, b)
      fe = pressure(i,step-1)*b
      call hourglass_forces(xe, ve, b, volume, damping*mass(i)*sound(i,step-1)/(8d0*volume**(1d0/3d0)), fe)
      force(:,8*i-7:8*i) = fe
    end do
    !$omp do
    do n = 1, nnodes
      total = 0d0
      do c = first(n), first(n+1) - 1
        total = total + force(:,corner(c))
      end do
      vs(:,n,step) = vs(:,n,step-1) + dt/node_mass(n)*total
      x(:,n,step) = x(:,n,step-1) + dt*vs(:,n,step)
    end do
    !$omp do reduction(min: least_of)
    do i = 1, nelements
      call gather(nnodes, x(:,:,step), node(:,i), xe)
      call gather(nnodes, vs(:,:,step), node(:,i), ve)
      call volume_gradient(xe, volume, b)
      flux = sum(b*ve)
      rate = flux/volume
      length = volume**(1d0/3d0)
      density = mass(i)/volume
      viscosity = 0d0
      if (rate < 0d0) viscosity = density*length*(quadratic*length*rate*rate - linear*sound(i,step-1)*rate)
      es(i,step) = max(es(i,step-1) - dt*pressure(i,step-1)*flux/mass(i), least)
      pressure(i,step) = (gamma - 1d0)*density*es(i,step) + viscosity
      sound(i,step) = sqrt(gamma*(gamma - 1d0)*es(i,step))
      least_of = min(least_of, length/(sound(i,step) + length*abs(rate)))
    end do
  end do
  !$omp end parallel
  limit(nsteps) = least_of
  !$omp parallel do
  do n = 1, nnodes
    node_mass_b(n) = 0.5d0*sum(vs(:,n,nsteps)**2)*f_b
    v_b(:,n) = v_b(:,n) + node_mass(n)*vs(:,n,nsteps)*f_b
    x_b(:,n) = 0d0
  end do
  f_b = 0d0
  pressure_b = 0d0
  sound_b = 0d0
  mass_b = 0d0
  xc_b = 0d0
  vc_b = 0d0
  limit_b = 0d0
  do step = nsteps, 1, -1
    dt = courant*limit(step-1)
    dt_b = 0d0
    !$omp parallel do private(xe, ve, b, xe_b, b_b, volume, volume_b, flux, flux_b, rate, rate_b, length, length_b, density, &
    !$omp& density_b, w, new, c) reduction(+: dt_b)
    do i = 1, nelements
      call gather(nnodes, x(:,:,step), node(:,i), xe)
      call gather(nnodes, vs(:,:,step), node(:,i), ve)
      call volume_gradient(xe, volume, b)
      flux = sum(b*ve)
      rate = flux/volume
      length = volume**(1d0/3d0)
      density = mass(i)/volume
      length_b = 0d0
      rate_b = 0d0
      w = sound(i,step) + length*abs(rate)
      if (length/w <= limit(step)) then
        length_b = limit_b*sound(i,step)/w**2
        sound_b(i) = sound_b(i) - limit_b*length/w**2
        rate_b = -limit_b*length*length/w**2*sign(1d0, rate)
      end if
      density_b = (gamma - 1d0)*es(i,step)*pressure_b(i)
      new = e_b(i) + 0.5d0*gamma*(gamma - 1d0)/sound(i,step)*sound_b(i) + (gamma - 1d0)*density*pressure_b(i)
      sound_b(i) = 0d0
      if (rate < 0d0) then
        w = quadratic*length*rate*rate - linear*sound(i,step-1)*rate
        density_b = density_b + length*w*pressure_b(i)
        length_b = length_b + density*(w + length*quadratic*rate*rate)*pressure_b(i)
        rate_b = rate_b + density*length*(2d0*quadratic*length*rate - linear*sound(i,step-1))*pressure_b(i)
        sound_b(i) = -density*length*linear*rate*pressure_b(i)
      end if
      if (es(i,step) <= least) new = 0d0
      e_b(i) = new
      w = new/mass(i)
      pressure_b(i) = -dt*flux*w
      dt_b = dt_b - pressure(i,step-1)*flux*w
      mass_b(i) = mass_b(i) + dt*pressure(i,step-1)*flux*w/mass(i) + density_b/volume
      flux_b = rate_b/volume - dt*pressure(i,step-1)*w
      volume_b = (length*length_b/3d0 - density*density_b - rate*rate_b)/volume
      xe_b = volume_b*b
      b_b = flux_b*ve
      call gradient_change(xe, b_b, xe_b)
      do c = 1, 8
        xc_b(:,8*(i-1)+c) = xc_b(:,8*(i-1)+c) + xe_b(:,c)
        vc_b(:,8*(i-1)+c) = vc_b(:,8*(i-1)+c) + flux_b*b(:,c)
      end do
    end do
    !$omp parallel do private(c, moved) reduction(+: dt_b)
    do n = 1, nnodes
      do c = first(n), first(n+1) - 1
        x_b(:,n) = x_b(:,n) + xc_b(:,corner(c))
        v_b(:,n) = v_b(:,n) + vc_b(:,corner(c))
      end do
      v_b(:,n) = v_b(:,n) + dt*x_b(:,n)
      moved = vs(:,n,step) - vs(:,n,step-1)
      dt_b = dt_b + sum(vs(:,n,step)*x_b(:,n)) + sum(moved*v_b(:,n))/dt
      node_mass_b(n) = node_mass_b(n) - sum(moved*v_b(:,n))/node_mass(n)
      total_b(:,n) = dt/node_mass(n)*v_b(:,n)
    end do
    !$omp parallel do private(xe, ve, b, xe_b, ve_b, b_b, fe_b, volume, volume_b, length, k, k_b)
    do i = 1, nelements
      call gather(nnodes, x(:,:,step-1), node(:,i), xe)
      call gather(nnodes, vs(:,:,step-1), node(:,i), ve)
      call gather(nnodes, total_b, node(:,i), fe_b)
      call volume_gradient(xe, volume, b)
      length = volume**(1d0/3d0)
      k = damping*mass(i)*sound(i,step-1)/(8d0*length)
      pressure_b(i) = pressure_b(i) + sum(b*fe_b)
      b_b = pressure(i,step-1)*fe_b
      xe_b = 0d0
      ve_b = 0d0
      volume_b = 0d0
      k_b = 0d0
      call hourglass_b(xe, xe_b, ve, ve_b, b, b_b, volume, volume_b, k, k_b, fe_b)
      mass_b(i) = mass_b(i) + k/mass(i)*k_b
      sound_b(i) = sound_b(i) + damping*mass(i)/(8d0*length)*k_b
      volume_b = volume_b - k*k_b/(3d0*volume)
      xe_b = xe_b + volume_b*b
      call gradient_change(xe, b_b, xe_b)
      xc_b(:,8*i-7:8*i) = xe_b
      vc_b(:,8*i-7:8*i) = ve_b
    end do
    limit_b = courant*dt_b
  end do
  !$omp parallel do private(xe, b, xe_b, volume, length, length_b)
  do i = 1, nelements
    call gather(nnodes, x(:,:,0), node(:,i), xe)
    call volume_gradient(xe, volume, b)
    mass_b(i) = mass_b(i) + 0.125d0*sum(node_mass_b(node(:,i)))
    length = volume**(1d0/3d0)
    length_b = 0d0
    if (length/sound(i,0) <= limit(0)) then
      length_b = limit_b/sound(i,0)
      sound_b(i) = sound_b(i) - limit_b*length/sound(i,0)**2
    end if
    e_b(i) = e_b(i) + 0.5d0*gamma*(gamma - 1d0)/sound(i,0)*sound_b(i) + (gamma - 1d0)*pressure_b(i)
    xc_b(:,8*i-7:8*i) = xc_b(:,8*i-7:8*i) + (mass_b(i) + length*length_b/(3d0*volume))*b
  end do
  !$omp parallel do private(c)
  do n = 1, nnodes
    do c = first(n), first(n+1) - 1
      x_b(:,n) = x_b(:,n) + xc_b(:,corner(c))
      v_b(:,n) = v_b(:,n) + vc_b(:,corner(c))
    end do
    shift_b(:,n) = shift_b(:,n) + x_b(:,n)
  end do
end subroutine
