! head: m::f(j)/(p)
! size: n=7
! The state consists of components of an object.
module m
  implicit none
  type grid
    real(8) :: u(4), w(4), s
  end type
contains
  subroutine f(n, p, j)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n)
    real(8), intent(out) :: j
    type(grid) :: g
    real(8) :: err
    integer :: it
    g%u = 0.0d0
    g%s = 1.0d0
    !$ad fixed-point
    do it = 1, 300
      g%w = 0.3d0*sin(g%u) + p(1:4)*g%s
      err = maxval(abs(g%w - g%u))
      g%u = g%w
      g%s = 0.2d0*sum(g%u)/4 + 0.5d0
      if (err < 1.0d-15) exit
    end do
    j = sum(g%u**2)*g%s
  end subroutine f

end module m
