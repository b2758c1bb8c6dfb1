! head: m::f(y)/(x)
! head: m::g(y)/(x)
! size: n=8
! threads: 4
! Arrays to which iterations and sections add, and that an internal procedure uses, too.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(40)
    real(8), intent(out) :: y(n)
    integer :: i
    !$omp parallel do
    do i = 1, n
      y(i) = x(mod(7*i, 40) + 1)*x(i)
    end do
    do i = 1, n
      y(i) = y(i)*inside(i)
    end do
  contains
    real(8) function inside(k)
      integer, intent(in) :: k
      inside = x(k)**2
    end function
  end subroutine
  subroutine g(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n), b(n), w(5)
    integer :: i
    w = x(1:5)**2
    !$omp parallel sections private(i)
    do i = 1, n
      a(i) = x(i)**2*w(mod(i, 5) + 1)
    end do
    !$omp section
    do i = 1, n
      b(i) = x(n + 1 - i)*x(i)*w(1)
    end do
    !$omp end parallel sections
    y = a*b
    call inside(y)
  contains
    subroutine inside(z)
      real(8), intent(inout) :: z(:)
      z = z*x(1:size(z))*w(2)
    end subroutine
  end subroutine
end module
