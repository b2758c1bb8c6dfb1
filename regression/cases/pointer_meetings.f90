! head: m::f(y)/(x)
! size: n=5
! plain dummies, pointers and module pointers meet
module m
  implicit none
  real(8), pointer :: mp(:) => null()
  real(8), target :: glob(5)
contains
  subroutine sq(n, w)
    integer, intent(in) :: n
    real(8), intent(inout) :: w(n)
    integer :: i
    do i = 2, n
      w(i) = w(i)*w(i-1)
    end do
  end subroutine sq
  subroutine viam(c)
    real(8), intent(in) :: c
    mp(1) = mp(2)*c
    mp(3) = mp(3)**2
  end subroutine viam
  subroutine zero3()
    mp(3) = 0
  end subroutine zero3
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: a(n)
    real(8), pointer :: p(:)
    a = x
    glob = 2*x
    mp => a
    call viam(x(1))
    p => a(1:4)
    call sq(4, p)
    call sq(2, p(2:3))
    y = a
    call zero3()
    y = y + a*x(2)
    mp => glob
    call viam(a(2))
    call sq(3, p(1:3))
    y = y*glob + a
    mp(2) = y(1)
    y(2) = sum(glob*a)
    nullify(mp)
  end subroutine f
end module m
