! head: m::revolve(x,j)/(x,p)
! head: m::online(x,j)/(x,p)
! head: m::dynamic(x,j)/(x,p)
! head: m::two_level(x,j)/(x,p)
! head: m::multistage(x,j)/(x,p)
! size: n=4 nt=1
! loops of one step under each schedule; their variable is used afterwards
module m
  implicit none
contains
  subroutine revolve(n, nt, x, p, j)
    integer, intent(in) :: n, nt
    real(8), intent(inout) :: x(n)
    real(8), intent(in) :: p(4)
    real(8), intent(out) :: j
    real(8) :: u(n)
    integer :: it
    u = x
    !$ad checkpoint schedule(revolve) snapshots(2)
    do it = 1, nt, 3
      u = u - 0.05d0*u**2*p(1) + 0.001d0*it/(nt + 1)*u
      u(2) = u(2) + 0.02d0*u(1)*u(3)
    end do
    j = sum(u**2) + it*u(1)
    x = u
  end subroutine revolve
  subroutine online(n, nt, x, p, j)
    integer, intent(in) :: n, nt
    real(8), intent(inout) :: x(n)
    real(8), intent(in) :: p(4)
    real(8), intent(out) :: j
    real(8) :: u(n)
    integer :: it
    u = x
    !$ad checkpoint schedule(online) snapshots(3)
    do it = 1, nt, 3
      u = u - 0.05d0*u**2*p(1) + 0.001d0*it/(nt + 1)*u
      u(2) = u(2) + 0.02d0*u(1)*u(3)
    end do
    j = sum(u**2) + it*u(1)
    x = u
  end subroutine online
  subroutine dynamic(n, nt, x, p, j)
    integer, intent(in) :: n, nt
    real(8), intent(inout) :: x(n)
    real(8), intent(in) :: p(4)
    real(8), intent(out) :: j
    real(8) :: u(n)
    integer :: it
    u = x
    !$ad checkpoint schedule(dynamic) snapshots(2)
    do it = 1, nt, 3
      u = u - 0.05d0*u**2*p(1) + 0.001d0*it/(nt + 1)*u
      u(2) = u(2) + 0.02d0*u(1)*u(3)
    end do
    j = sum(u**2) + it*u(1)
    x = u
  end subroutine dynamic
  subroutine two_level(n, nt, x, p, j)
    integer, intent(in) :: n, nt
    real(8), intent(inout) :: x(n)
    real(8), intent(in) :: p(4)
    real(8), intent(out) :: j
    real(8) :: u(n)
    integer :: it
    u = x
    !$ad checkpoint schedule(two-level) snapshots(2)
    do it = 1, nt, 3
      u = u - 0.05d0*u**2*p(1) + 0.001d0*it/(nt + 1)*u
      u(2) = u(2) + 0.02d0*u(1)*u(3)
    end do
    j = sum(u**2) + it*u(1)
    x = u
  end subroutine two_level
  subroutine multistage(n, nt, x, p, j)
    integer, intent(in) :: n, nt
    real(8), intent(inout) :: x(n)
    real(8), intent(in) :: p(4)
    real(8), intent(out) :: j
    real(8) :: u(n)
    integer :: it
    u = x
    !$ad checkpoint schedule(multistage) snapshots(1, 2)
    do it = 1, nt, 3
      u = u - 0.05d0*u**2*p(1) + 0.001d0*it/(nt + 1)*u
      u(2) = u(2) + 0.02d0*u(1)*u(3)
    end do
    j = sum(u**2) + it*u(1)
    x = u
  end subroutine multistage
end module m
