! head: m::f(j)/(p)
! size: n=7
! A procedure with a fixed point is called again and again.
module m
  implicit none
contains
  subroutine f(n, p, j)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n)
    real(8), intent(out) :: j
    real(8) :: u(n), v(n), err
    integer :: i, it
    u = 0.1d0
    v = 0.2d0
    do it = 1, 4
      call solve(n, p, u)
      call solve(n, u, v)
      u = u + 0.1d0*v
    end do
    j = sum(u*v)
  end subroutine f
  subroutine solve(n, p, u)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n)
    real(8), intent(inout) :: u(n)
    real(8) :: w(n)
    integer :: k
    !$ad fixed-point
    do k = 1, 300
      w = 0.3d0*sin(u) + 0.5d0*p
      if (maxval(abs(w - u)) < 1.0d-15) exit
      u = w
    end do
  end subroutine solve
end module m
