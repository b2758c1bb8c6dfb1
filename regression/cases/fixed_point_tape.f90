! head: m::f(j)/(p)
! size: n=7
! An iteration whose adjoint takes values from a tape: it runs again before each.
module m
  implicit none
contains
  subroutine f(n, p, j)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n)
    real(8), intent(out) :: j
    real(8) :: u(n), v(n), err
    integer :: i, it
    real(8) :: s
    integer :: k
    u = 0.5d0
    err = 1.0d0
    !$ad fixed-point
    do while (err > 1.0d-14)
      err = 0.0d0
      do i = 1, n
        s = u(i)
        k = 0
        do while (k < 2 + mod(i,3))
          s = 0.5d0*sin(s)*p(i) + 0.3d0
          k = k + 1
        end do
        err = max(err, abs(s - u(i)))
        u(i) = s
      end do
    end do
    j = sum(u**2)
  end subroutine f

end module m
