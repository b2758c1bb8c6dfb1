! head: m::f(j)/(p)
! size: n=7
! refused: C0409 at 18
! Iterations that swap what they read and what they assign: the last one stands for itself only.
module m
  implicit none
contains
  subroutine f(n, p, j)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n)
    real(8), intent(out) :: j
    real(8) :: u(n,2), err
    integer :: a, b, c
    u = 0.0d0
    a = 1
    b = 2
    err = 1.0d0
    !$ad fixed-point
    do while (err > 1.0d-14)
      u(:,b) = 0.3d0*sin(u(:,a)) + p
      err = maxval(abs(u(:,b) - u(:,a)))
      c = a
      a = b
      b = c
    end do
    j = sum(u(:,a)**2)
  end subroutine f

end module m
