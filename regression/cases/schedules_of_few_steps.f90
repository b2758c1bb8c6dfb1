! head: m::f(j)/(x,p)
! size: n=4
! loops of no, one and two steps under each schedule; their variable is used afterwards
module m
  implicit none
contains
  subroutine f(n, x, p, j)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), p
    real(8), intent(out) :: j(5)
    real(8) :: u(n)
    integer :: nt
    u = x
    j = 0
    do nt = 0, 4, 2
      call revolve(nt, u, p, j(1))
      call online(nt, u, p, j(2))
      call dynamic(nt, u, p, j(3))
      call two_level(nt, u, p, j(4))
      call multistage(nt, u, p, j(5))
    end do
  end subroutine f
  subroutine revolve(nt, u, p, j)
    integer, intent(in) :: nt
    real(8), intent(inout) :: u(:), j
    real(8), intent(in) :: p
    integer :: it
    !$ad checkpoint schedule(revolve) snapshots(2)
    do it = 1, nt, 3
      u = u - 0.05d0*u**2*p + 0.001d0*it*u
      u(2) = u(2) + 0.02d0*u(1)*u(3)
    end do
    j = j + it*u(1)
  end subroutine revolve
  subroutine online(nt, u, p, j)
    integer, intent(in) :: nt
    real(8), intent(inout) :: u(:), j
    real(8), intent(in) :: p
    integer :: it
    !$ad checkpoint schedule(online) snapshots(3)
    do it = 1, nt, 3
      u = u - 0.05d0*u**2*p + 0.001d0*it*u
      u(2) = u(2) + 0.02d0*u(1)*u(3)
    end do
    j = j + it*u(1)
  end subroutine online
  subroutine dynamic(nt, u, p, j)
    integer, intent(in) :: nt
    real(8), intent(inout) :: u(:), j
    real(8), intent(in) :: p
    integer :: it
    !$ad checkpoint schedule(dynamic) snapshots(2)
    do it = 1, nt, 3
      u = u - 0.05d0*u**2*p + 0.001d0*it*u
      u(2) = u(2) + 0.02d0*u(1)*u(3)
    end do
    j = j + it*u(1)
  end subroutine dynamic
  subroutine two_level(nt, u, p, j)
    integer, intent(in) :: nt
    real(8), intent(inout) :: u(:), j
    real(8), intent(in) :: p
    integer :: it
    !$ad checkpoint schedule(two-level) snapshots(2)
    do it = 1, nt, 3
      u = u - 0.05d0*u**2*p + 0.001d0*it*u
      u(2) = u(2) + 0.02d0*u(1)*u(3)
    end do
    j = j + it*u(1)
  end subroutine two_level
  subroutine multistage(nt, u, p, j)
    integer, intent(in) :: nt
    real(8), intent(inout) :: u(:), j
    real(8), intent(in) :: p
    integer :: it
    !$ad checkpoint schedule(multistage) snapshots(1, 2)
    do it = 1, nt, 3
      u = u - 0.05d0*u**2*p + 0.001d0*it*u
      u(2) = u(2) + 0.02d0*u(1)*u(3)
    end do
    j = j + it*u(1)
  end subroutine multistage
end module m
