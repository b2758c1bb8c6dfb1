! Exclusive statements of which procedures that they call, or other names of the same memory, change what others use.
! head: m::f(y,s)/(x,y,s)
! size: n=9
! threads: 4
module m
  implicit none
  real(8) :: c = 1
contains
  subroutine bump(v)
    real(8), intent(in) :: v
    c = 0.5d0*c + v**2
  end subroutine
  real(8) function next(v)
    real(8), intent(in) :: v
    c = c*0.7d0 + v
    next = c*v
  end function
  subroutine f(n, x, y, s)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8), intent(inout) :: s
    real(8), target :: a(3)
    real(8), pointer :: p(:)
    real(8) :: t
    integer :: i, k
    c = 1
    !$omp parallel do private(t) num_threads(1)
    do i = 1, n
      t = sin(x(i))
      !$omp critical
      call bump(t)
      !$omp end critical
      y(i) = y(i)*t
      !$omp critical
      s = max(s, c*x(i))
      !$omp end critical
      y(i) = y(i) + t
    end do
    a = x(1)
    p => a
    !$omp parallel do private(t, k) num_threads(1)
    do i = 1, n
      k = 1 + mod(i, 3)
      t = cos(x(i))
      !$omp critical
      a(k) = a(k)*t + x(i)
      !$omp end critical
      y(i) = y(i)*t
      !$omp critical
      s = s + sin(p(2)*t)
      !$omp end critical
    end do
    !$omp parallel do ordered private(t)
    do i = 1, n
      t = x(i)**2
      !$omp ordered
      s = s*0.9d0 + next(t)
      !$omp end ordered
      y(i) = y(i) + t
    end do
    !$omp parallel do ordered private(t)
    do i = 1, n
      t = x(i)**2
      !$omp ordered
      s = next(t)
      !$omp end ordered
      y(i) = y(i) + t*sin(t)
    end do
  end subroutine
end module
