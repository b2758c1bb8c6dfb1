! head: m::f(j)/(p)
! size: n=7
! An iteration whose adjoints use results.
module m
  implicit none
contains
  subroutine f(n, p, j)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n)
    real(8), intent(out) :: j
    real(8) :: u(n), v(n), err
    integer :: i, it
    u = 0.3d0
    err = 1.0d0
    !$ad fixed-point
    do while (err > 1.0d-15)
      v = u
      u = u*p*0.3d0
      u = exp(-u)
      u = sqrt(u + 1.0d0)
      u = u*0.5d0*p
      err = maxval(abs(u - v))
    end do
    j = sum(u**2)
  end subroutine f

end module m
