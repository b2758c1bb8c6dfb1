! head: m::f(j)/(p)
! size: n=7
! A fixed point that is left in the middle of an iteration: the adjoint is that of a whole one.
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
      v = 0.3d0*cos(u) + 0.1d0*p - u
      err = maxval(abs(v))
      if (err < 1.0d-15) exit
      u = u + 0.8d0*v
    end do
    j = sum(u**3)
  end subroutine f

end module m
