! head: m::columns(t,p)/(t,q)
! head: m::nested(t)/(t,q)
! head: m::whole(p)/(t)
! size: n=8
! size: nlev=5
! acc: host
! Sequential loops around those that gangs share out, in one region.
module m
  implicit none
contains
  subroutine columns(n, nlev, t, q, p)
    integer, intent(in) :: n, nlev
    real(8), intent(inout) :: t(n,nlev)
    real(8), intent(in) :: q(n,nlev)
    real(8), intent(out) :: p(n)
    real(8) :: d
    integer :: i, k
    !$acc data copy(t) copyin(q) copyout(p)
    !$acc parallel default(present)
    !$acc loop gang vector
    do i = 1, n
      p(i) = 0
    end do
    !$acc loop seq
    do k = 2, nlev
      !$acc loop gang vector private(d)
      do i = 1, n
        d = max(q(i,k) - t(i,k-1), 0d0)*t(i,k)
        t(i,k) = t(i,k) + 0.3d0*d
        p(i) = p(i) + d**2
      end do
    end do
    !$acc end parallel
    !$acc end data
  end subroutine
  subroutine nested(n, nlev, t, q)
    integer, intent(in) :: n, nlev
    real(8), intent(inout) :: t(n,nlev)
    real(8), intent(in) :: q(n,nlev)
    integer :: i, k, m
    !$acc parallel loop gang copy(t) copyin(q)
    do i = 1, n
      !$acc loop seq
      do k = 2, nlev
        t(i,k) = t(i,k)*t(i,k-1)
        !$acc loop seq
        do m = 1, 3
          t(i,k) = t(i,k) + sin(q(i,m))*t(i,1)
        end do
      end do
    end do
  end subroutine
  subroutine whole(n, nlev, t, p)
    integer, intent(in) :: n, nlev
    real(8), intent(in) :: t(n,nlev)
    real(8), intent(out) :: p(n)
    integer :: i, k
    !$acc kernels
    p = 0
    !$acc loop seq
    do k = 1, nlev
      !$acc loop independent
      do i = 1, n
        p(i) = p(i)*0.5d0 + t(i,k)**2
      end do
    end do
    !$acc end kernels
  end subroutine
end module
