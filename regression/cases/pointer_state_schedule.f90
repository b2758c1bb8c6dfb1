! head: m::f(y)/(x)
! size: n=5 nt=9
! a pointer array stays where it is in a time loop, beside its target
module m
  implicit none
contains
  subroutine f(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: w(2*n)
    real(8), pointer :: p(:), q(:)
    integer :: it, i
    w(1:n) = x
    w(n+1:) = x*x
    p => w(1:2*n:2)
    q => w(2:2*n:2)
    !$ad checkpoint schedule(revolve) snapshots(3)
    do it = 1, nt
      do i = 1, n
        p(i) = p(i) + 0.01d0*q(i)*w(i)
      end do
      do i = 2, n
        q(i) = q(i)*cos(p(i-1))
      end do
      w(1) = w(1) + q(1)*p(n)
    end do
    y = p*q
  end subroutine f
end module m
