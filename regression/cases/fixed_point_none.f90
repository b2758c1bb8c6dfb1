! head: m::f(j)/(p)
! size: n=7
! A loop with a fixed point that has no iteration.
module m
  implicit none
contains
  subroutine f(n, p, j)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n)
    real(8), intent(out) :: j
    real(8) :: u(n), v(n), err
    integer :: i, it
    u = p**2
    err = p(1)
    !$ad fixed-point
    do while (err > 1.0d3)
      v = u
      u = 0.5d0*sin(u) + p
      err = maxval(abs(u-v))
    end do
    j = sum(u**2)
  end subroutine f

end module m
