! head: a(y, z)/(x)
! head: b(y)/(x, y)
! head: c(y, last)/(x)
! size: n=9 m=4 k=2
! value: m=4
! value: k=2
! threads: 4
! Counters that each iteration adds the same to (`linear`): used before and behind, in loops with other steps, of use later.
module m
  implicit none
contains
  subroutine a(x, y, z, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(2*n)
    real(8), intent(out) :: y(n), z(2*n)
    integer :: i, j, k
    j = 0; k = 2*n + 1
    z = 1
    !$omp parallel do simd linear(j: 2) linear(k: -1)
    do i = 1, n
      y(i) = x(j + 1)**2
      j = j + 2
      k = k - 1
      y(i) = y(i) + x(j)*x(k)
      z(j) = sin(x(j))
    end do
    z(1) = z(1) + x(k)
  end subroutine
  subroutine b(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i, j, first
    j = 1
    !$omp parallel
    !$omp do linear(j)
    do i = 1, n, 2
      y(j) = y(j)*x(i)*x(i)
      j = 1 + j
    end do
    !$omp end parallel
    ! Without iterations, and back.
    first = j
    !$omp parallel do linear(j: 3)
    do i = 5, 4
      y(j) = y(j)*x(i)
      j = j + 3
    end do
    !$omp parallel do linear(j: -1)
    do i = n, n - first + 2, -1
      j = j - 1
      y(j) = y(j) + x(i)*x(1)
    end do
    y(n) = y(n)*j + x(first)
  end subroutine
  ! Of these each iteration does something else to the counter, or not always.
  subroutine c(x, y, last, n, m, k)
    integer, intent(in) :: n, m, k
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n, m), last
    integer :: i, l, j
    j = 0
    y = 0
    do l = 1, m
      !$omp parallel do linear(j: 1)
      do i = 1, n
        j = j + 1
        y(i, l) = x(j - (l - 1)*n)**k*l
      end do
    end do
    !$omp parallel do linear(l: 1)
    do i = 1, n
      y(i, 1) = y(i, 1) + l*x(i)
      l = l + 1
    end do
    last = y(1, 1)*j + y(n, m)*l
  end subroutine
end module
