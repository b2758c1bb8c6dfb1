! head: a(x, z)/(a0, x)
! head: b(y)/(x, y)
! head: c(y)/(x, y)
! size: n=7
! threads: 4
! Iterations that wait for those before them at a place of their own, and let the later ones go on: only what stands between
! is done one after the other.
module m
  implicit none
contains
  subroutine a(n, a0, x, z)
    integer, intent(in) :: n
    real(8), intent(in) :: a0(n)
    real(8), intent(inout) :: x(n)
    real(8), intent(out) :: z(n)
    integer :: i
    real(8) :: w, v
    z(1) = 0
    !$omp parallel do ordered(1) private(w, v) schedule(static, 1)
    do i = 2, n
      w = sin(a0(i))
      !$omp ordered depend(sink: i-1)
      x(i) = x(i) + w*x(i-1)
      v = x(i)**2
      !$omp ordered depend(source)
      z(i) = v*exp(-w)
      if (v > 0.2d0) z(i) = z(i) + 0.1d0*v*w
    end do
  end subroutine
  ! Two steps back.
  subroutine b(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i
    real(8) :: w
    !$omp parallel
    !$omp do ordered(1) private(w)
    do i = 3, n
      w = x(i)**2
      !$omp ordered depend(sink: i-1) depend(sink: i-2)
      y(i) = y(i) + w*y(i-1)*y(i-2)
      !$omp ordered depend(source)
    end do
    !$omp end parallel
  end subroutine
  ! A wave over a plane, and directives in branches: all of it one after the other.
  subroutine c(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n, n)
    integer :: i, j
    !$omp parallel do ordered(2)
    do j = 2, n
      do i = 2, n
        !$omp ordered depend(sink: j-1, i) depend(sink: j, i-1)
        y(i, j) = 0.5d0*y(i-1, j) + x(i)*y(i, j-1)
        !$omp ordered depend(source)
      end do
    end do
    !$omp parallel do ordered(1)
    do j = 2, n
      do i = 1, n
        if (i == 1) then
          !$omp ordered depend(sink: j-1)
        end if
        y(i, j) = y(i, j) + 0.1d0*y(i, j-1)*x(j)
        if (i == n) then
          !$omp ordered depend(source)
        end if
      end do
    end do
  end subroutine
end module
