! head: m::f(y)/(x)
! size: n=6
! The order in which threads come to a critical section decides what a list holds, which the adjoint uses: it isn't made
! anew.
module m
  implicit none
contains
  subroutine f(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, k, list(n), it
    y = x
    do it = 1, 3
      k = 0
      !$omp parallel do
      do i = 1, n
        if (mod(i + it, 2) == 0) cycle
        !$omp critical (append)
        k = k + 1
        list(k) = i
        !$omp end critical (append)
      end do
      do i = 1, k
        y(list(i)) = y(list(i))*x(i)
      end do
    end do
  end subroutine f
end module m
