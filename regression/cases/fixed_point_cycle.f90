! head: m::f(j)/(p)
! size: n=7
! Iterations with `cycle`, in which elements are assigned in two loops.
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
    !$ad fixed-point
    do it = 1, 300
      err = 0.0d0
      do i = 1, n
        if (mod(i, 2) == 0) cycle
        v(i) = 0.3d0*sin(u(i))*p(i) + 0.1d0
        err = max(err, abs(v(i) - u(i)))
        u(i) = v(i)
      end do
      do i = 2, n, 2
        v(i) = 0.3d0*u(i-1)*p(i) + 0.1d0*cos(u(i))
        err = max(err, abs(v(i) - u(i)))
        u(i) = v(i)
      end do
      if (mod(it, 3) /= 0) cycle
      if (err < 1.0d-15) exit
    end do
    j = sum(u**2)
  end subroutine f

end module m
