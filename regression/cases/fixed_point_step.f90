! head: m::f(j)/(p)
! size: n=7
! A fixed point whose iteration calls a procedure, with everything that the directive may say.
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
    err = 1.0d0
    !$ad fixed-point state(u) tolerance(1e-13) maxiterations(500)
    do while (err > 1.0d-14)
      v = u
      call step(n, u, p)
      err = maxval(abs(u - v))
    end do
    j = sum(u*p)
  end subroutine f
  subroutine step(n, u, p)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    real(8), intent(in) :: p(n)
    integer :: i
    do i = 1, n
      u(i) = 0.5d0*sin(u(i)) + p(i)*u(max(i-1,1))*0.2d0 + exp(-p(i))
    end do
  end subroutine step
end module m
