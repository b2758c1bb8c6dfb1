! head: m::f(y)/(x)
! size: n=24
! threads: 4
! Iterations that assign elements of their own, with private scalars, and with branches.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: t, s
    !$omp parallel do private(t) firstprivate(s) schedule(static, 3)
    do i = 1, n
      t = x(i)**2
      s = t + 1
      if (t > 0.5d0) then
        y(i) = t*sin(x(i))*s
      else
        y(i) = t/(1 + x(i))
      end if
    end do
    !$omp end parallel do
    !$omp parallel do schedule(dynamic) num_threads(3) if(n > 4)
    do i = n, 2, -1
      y(i) = y(i)*y(i)*x(1)
    end do
    !$omp parallel do
    do i = 1, n - 1, 2
      y(i) = y(i) + y(i + 1)*x(i)
    end do
    !$omp parallel do
    do i = 1, 0
      y(i) = 0
    end do
  end subroutine f
end module m
