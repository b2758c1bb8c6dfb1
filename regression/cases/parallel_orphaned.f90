! head: m::f(y)/(x)
! size: n=24
! threads: 4
! A procedure that shares out a loop among the threads of its caller, and waits for them.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    !$omp parallel
    call squares(n, x, y)
    !$omp end parallel
    call squares(n, y*x, y)
  end subroutine f

  subroutine squares(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i, k
    real(8) :: w(2)
    !$omp do private(k)
    do i = 1, n
      do k = 1, 2
        w(k) = x(i)*k
      end do
      y(i) = w(1)*w(2)
    end do
    !$omp end do nowait
    !$omp barrier
  end subroutine squares
end module m
