! head: m::f(j)/(p)
! size: n=7
! What the last iteration has computed beside the state is used behind the loop.
module m
  implicit none
contains
  subroutine f(n, p, j)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n)
    real(8), intent(out) :: j
    real(8) :: u(n), v(n), err
    integer :: i, it
    u = 0.0d0
    !$ad fixed-point
    do it = 1, 200
      v = exp(-u)*p
      err = sum((0.3d0*v + 0.1d0*p - u)**2)
      u = 0.3d0*v + 0.1d0*p
      if (err < 1.0d-29) exit
    end do
    j = sum(v*u)
  end subroutine f

end module m
