! head: a(b)/(x)
! head: b(r, s)/(x)
! head: c(y)/(x, y, w)
! head: d(y)/(x, y)
! size: n=7
! threads: 4
! Regions inside loops that are shared out: with sums and private variables of both, elements that inner iterations share, in
! called procedures, and in time loops.
module m
  implicit none
contains
  subroutine a(x, b, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n, n)
    real(8), intent(out) :: b(n, n)
    integer :: i, j
    !$omp parallel do num_threads(2) private(i)
    do j = 1, n
      !$omp parallel do num_threads(2)
      do i = 1, n
        b(i, j) = x(i, j)*x(j, i)
      end do
    end do
  end subroutine
  subroutine b(x, r, s, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n, n)
    real(8), intent(out) :: r(n), s
    real(8) :: t, u, v
    integer :: i, j
    s = 0
    !$omp parallel do private(t, u) reduction(+: s)
    do j = 1, n
      t = 0
      u = x(1, j)
      !$omp parallel do private(v) reduction(+: t) if(n > 3)
      do i = 1, n
        v = sin(x(i, j))*u
        t = t + v**2
      end do
      r(j) = sqrt(1 + t)
      s = s + r(j)*u
    end do
  end subroutine
  ! Neighbours inside, one element of the outer iteration's, and weights of all.
  subroutine c(x, y, w, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n, n), w(3)
    real(8), intent(inout) :: y(n, n)
    integer :: i, j, step
    do step = 1, 2
      !$omp parallel do
      do j = 2, n - 1
        !$omp parallel do schedule(static, 1)
        do i = 2, n - 1
          y(i, j) = y(i, j)*w(1) + x(i-1, j)*w(2) + x(i+1, j)*x(1, j)*w(3)
        end do
      end do
    end do
  end subroutine
  subroutine d(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n, n)
    real(8), intent(inout) :: y(n, n)
    integer :: j
    !$omp parallel do
    do j = 1, n
      call column(x(:, j), y(:, j), n)
    end do
  end subroutine
  subroutine column(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i
    !$omp parallel do
    do i = 1, n
      y(i) = sin(y(i))*x(i)
    end do
  end subroutine
end module
