! head: m::f(zeta,en)/(psi,zeta)
! threads: 4
! A function finds its neighbours by the indices it is given: iterations add to those of each other.
module m
  implicit none
contains
  function arakawa(p, z, i, j) result(r)
    real(8), intent(in) :: p(:,:), z(:,:)
    integer, intent(in) :: i, j
    real(8) :: r
    r = ((p(i+1,j)-p(i-1,j))*(z(i,j+1)-z(i,j-1)) - (p(i,j+1)-p(i,j-1))*(z(i+1,j)-z(i-1,j)) &
       + p(i+1,j)*(z(i+1,j+1)-z(i+1,j-1)) - p(i-1,j)*(z(i-1,j+1)-z(i-1,j-1)))/12
  end function
  subroutine f(psi, zeta, en)
    real(8), intent(in) :: psi(:,:)
    real(8), intent(inout) :: zeta(:,:)
    real(8), intent(out) :: en
    real(8), allocatable :: jac(:,:)
    integer :: i, j, nx, ny
    nx = size(psi,1); ny = size(psi,2)
    allocate(jac(nx,ny), source=0d0)
    en = 0
    !$omp parallel do private(i)
    do j = 2, ny-1
      do i = 2, nx-1
        jac(i,j) = arakawa(psi, zeta, i, j)
      end do
    end do
    !$omp parallel do private(i) reduction(+:en)
    do j = 1, ny
      do i = 1, nx
        zeta(i,j) = zeta(i,j) - 0.3d0*jac(i,j)
        en = en + psi(i,j)*zeta(i,j)
      end do
    end do
  end subroutine
end module
