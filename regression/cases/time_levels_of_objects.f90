! head: m::f(ta,qv,prec)/(ta,qv)
! threads: 4
! Levels of time in an array of objects, and a procedure that is given the object around them for a few of its numbers.
module types
  implicit none
  type :: t_prog
    real(8), allocatable :: ta(:,:,:), qv(:,:,:)
  end type
  type :: t_diag
    real(8), allocatable :: prec(:,:)
    real(8), pointer :: work(:,:) => null()
  end type
  type :: t_patch
    integer :: nblks = 5, nlev = 4, nproma = 6
    type(t_prog) :: prog(2)
    type(t_diag) :: diag
  end type
end module
module m
  use types
  implicit none
contains
  subroutine get_indices(p, jb, i1, i2)
    type(t_patch), intent(in) :: p
    integer, intent(in) :: jb
    integer, intent(out) :: i1, i2
    i1 = 1; i2 = p%nproma
    if (jb == 1) i1 = 3
    if (jb == p%nblks) i2 = 4
  end subroutine
  subroutine satad(p, n0, n1)
    type(t_patch), intent(inout) :: p
    integer, intent(in) :: n0, n1
    integer :: jb, jk, jc, i1, i2
    real(8) :: dq
    !$omp parallel do private(jb,jk,jc,i1,i2,dq) schedule(static)
    do jb = 1, p%nblks
      call get_indices(p, jb, i1, i2)
      do jk = 1, p%nlev
        do jc = i1, i2
          dq = 0.2d0*(p%prog(n0)%qv(jc,jb,jk) - 0.5d0*p%prog(n0)%ta(jc,jb,jk)**2)
          p%prog(n1)%qv(jc,jb,jk) = p%prog(n0)%qv(jc,jb,jk) - dq
          p%prog(n1)%ta(jc,jb,jk) = p%prog(n0)%ta(jc,jb,jk) + 0.3d0*dq
          p%diag%prec(jc,jb) = p%diag%prec(jc,jb) + dq*dq
        end do
      end do
    end do
  end subroutine
  subroutine f(ta, qv, prec)
    real(8), intent(inout) :: ta(6,5,4), qv(6,5,4)
    real(8), intent(out) :: prec(6,5)
    type(t_patch) :: p
    integer :: n0, n1, it, k
    do k = 1, 2
      allocate(p%prog(k)%ta(6,5,4), p%prog(k)%qv(6,5,4))
      p%prog(k)%ta = ta; p%prog(k)%qv = qv
    end do
    allocate(p%diag%prec(6,5)); p%diag%prec = 0
    n0 = 1; n1 = 2
    do it = 1, 3
      call satad(p, n0, n1)
      k = n0; n0 = n1; n1 = k
    end do
    ta = p%prog(n0)%ta; qv = p%prog(n0)%qv; prec = p%diag%prec
  end subroutine
end module
