! head: m::f(j)/(p)
! size: n=7
! Elements of the state that no iteration assigns; the adjoint brings back what it has restored.
module m
  implicit none
contains
  subroutine f(n, p, j)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n)
    real(8), intent(out) :: j
    real(8) :: u(0:n+1), old, err
    integer :: i
    u = 0.1d0
    u(0) = p(1)
    u(n+1) = p(n)**2
    !$ad fixed-point
    do
      err = 0.0d0
      do i = 1, n
        old = u(i)
        u(i) = 0.2d0*(u(i-1)**2 + u(i+1)) + 0.1d0*sin(u(i))*p(i)
        err = err + (u(i) - old)**2
      end do
      if (err < 1.0d-28) exit
    end do
    j = sum(u**2)
  end subroutine f

end module m
