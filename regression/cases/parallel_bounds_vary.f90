! head: m::f(y)/(x)
! size: n=11
! threads: 4
! Parallel loops that begin and end elsewhere in each iteration of a loop around them: colours of a table, diagonals, red and black
! points, steps of a loop without a count. What they save is collected in an array for each time.
module m
  implicit none
contains
  subroutine relax(a, first, n, nc)
    integer, intent(in) :: n, nc, first(nc + 1)
    real(8), intent(inout) :: a(n)
    integer :: c, k, j
    real(8) :: t, w(3)
    do c = 1, nc
      !$omp parallel do private(t, w, j) schedule(dynamic)
      do k = first(c), first(c + 1) - 1
        t = a(k)**2
        do j = 1, 3
          w(j) = sin(t*j)
          t = t*0.5d0 + w(j)*a(k)
          a(k) = a(k)*0.9d0 + 0.1d0*t
        end do
        if (t > 0.3d0) then
          a(k) = a(k)*cos(t)
          a(k) = a(k)**2 + 0.2d0
        end if
      end do
    end do
  end subroutine relax
  subroutine wavefront(x, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n, n)
    integer :: i, j, d
    do d = 4, 2*n
      !$omp parallel do private(j)
      do i = max(2, d - n), min(n, d - 2)
        j = d - i
        x(i, j) = 0.4d0*(x(i - 1, j) + x(i, j - 1)) + 0.1d0*x(i, j)*x(i - 1, j - 1)
      end do
    end do
  end subroutine wavefront
  subroutine f(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: first(5), i, j, it, m, c
    real(8) :: a(n), b(n, n), r
    a = x
    first = [1, 1 + n/4, 1 + n/4, 1 + n/2, n + 1]
    do it = 1, 2
      call relax(a, first, n, 4)
    end do
    b = 0.5d0
    b(:, 1) = a
    ! triangular with a step that depends on the outer loop, red-black starts, and while loops around
    do j = 2, min(n, 6)
      !$omp parallel do
      do i = 1 + mod(j, 2), n - 1, 2
        b(i, j) = b(i, j - 1)*b(i + 1, j - 1) + b(i, j)**2
      end do
      !$omp parallel do
      do i = n - mod(j, 3), j, -2
        b(i, j) = b(i, j)*b(i, j) + 0.1d0*a(i)
      end do
    end do
    m = 1
    r = 1
    do while (m < n)
      !$omp parallel do
      do i = 1 + m, n
        a(i) = a(i)*0.9d0 + a(i)*a(i)*0.05d0
      end do
      r = r*0.9d0
      m = m*2
    end do
    !$omp parallel
    do c = 1, 3
      !$omp do
      do i = first(c) + c, first(c + 1) + 1
        a(i) = a(i)*b(i, 2)*a(i)
      end do
      !$omp end do
    end do
    !$omp end parallel
    y = a*r + b(:, 2)*b(:, min(n, 6))
    call wavefront(b, n)
    y = y*b(n - 1, :) + b(:, n - 1)
  end subroutine f
end module m
