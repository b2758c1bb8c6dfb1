! head: a(y)/(x, y)
! head: b(y, z)/(x, y, z)
! head: c(y)/(x, y)
! size: n=7 m=5
! value: nt=3
! threads: 4
! Boundaries in branches of loops that are shared out: where the index has a known value, elements at this value are near.
module m
  implicit none
contains
  ! Several conditions, joined, the other way round, and what is left when none holds.
  subroutine a(n, m, x, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n, m)
    real(8), intent(inout) :: y(n, m)
    integer :: i, j
    !$omp parallel do private(i)
    do j = 1, m
      do i = 1, n
        if (j == 1 .and. i > 1) then
          y(i, j) = y(i, j)*x(i, 1) + x(i, 2)*x(1, 1)
        else if ((m == j)) then
          y(i, j) = y(i, j)*x(i, m) + sin(x(i, m-1))
        else if (j /= 1) then
          y(i, j) = y(i, j)*(x(i, j-1) + x(i, j+1))
        else
          y(i, j) = y(i, j)*x(i, 1)**2
        end if
      end do
    end do
  end subroutine
  ! Iterations in any order; and a value that changes in the branch.
  subroutine b(n, m, x, y, z)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n, m)
    real(8), intent(inout) :: y(n, m), z(0:n+1)
    real(8) :: w(3)
    integer :: i, k
    do concurrent (i = 1:n)
      if (i /= n) then
        y(i, 1) = y(i, 1)*z(i)*z(i+1)
      else
        y(n, 1) = y(n, 1)*z(n) + z(n+1)*x(n-1, 2)
      end if
    end do
    w = [0.5d0, 0.7d0, 0.9d0]
    !$omp parallel do private(k)
    do i = 1, n
      k = 1
      if (i == k) then
        k = 2
        z(i) = z(i)*x(i, 1)*w(k)
      else
        z(i) = z(i)*x(i, 2)*w(min(i, 3))
      end if
    end do
  end subroutine
  ! In time steps, with the other loops of a step.
  subroutine c(n, m, nt, x, y)
    integer, intent(in) :: n, m, nt
    real(8), intent(in) :: x(n, m)
    real(8), intent(inout) :: y(n)
    real(8) :: t(n)
    integer :: i, it
    !$omp parallel private(it)
    do it = 1, nt
      !$omp do
      do i = 1, n
        t(i) = y(i)**2 - 0.3d0*x(i, m)
      end do
      !$omp do
      do i = 1, n
        if (i == 1) then
          y(i) = t(1)*x(1, 1)
        else if (i == n) then
          y(i) = t(n) + t(n-1)
        else
          y(i) = (t(i-1) + t(i) + t(i+1))/3
        end if
      end do
    end do
    !$omp end parallel
  end subroutine
end module
