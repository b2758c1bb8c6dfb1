! head: m::scans(y,z,top)/(x,y)
! size: n=1,7
! threads: 4
! head: m::tasks(s,t,b)/(x,s,t,b)
! Sums that iterations use as they stand (`scan`), and sums over tasks.
module m
  implicit none
contains
  subroutine scans(n, x, y, z, top)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n), z(n)
    real(8), intent(out) :: top(n)
    real(8) :: s, p, mx
    integer :: i, k, at(n)
    s = y(1)
    !$omp parallel do reduction(inscan, +: s)
    do i = 1, n
      s = s + x(i)**2
      !$omp scan inclusive(s)
      y(i) = s*x(i)
    end do
    p = 0
    !$omp parallel do reduction(inscan, +: p)
    do i = 1, n
      z(i) = sin(p)
      !$omp scan exclusive(p)
      p = p + y(i)*x(i)
    end do
    mx = -1d3
    !$omp parallel do reduction(inscan, max: mx)
    do i = 1, n
      mx = max(mx, z(i))
      !$omp scan inclusive(mx)
      top(i) = mx*x(i)
    end do
    ! Nothing active: the loop runs as it is.
    k = 0
    !$omp parallel do reduction(inscan, max: k)
    do i = 1, n
      k = max(k, mod(3*i, n + 1))
      !$omp scan inclusive(k)
      at(i) = k
    end do
    do i = 1, n
      y(i) = y(i) + z(max(1, at(i)))
    end do
    z = z + p
  end subroutine
  subroutine tasks(n, x, s, t, b)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: s, t, b(3)
    integer :: i, k
    real(8) :: w
    !$omp parallel
    !$omp single
    !$omp taskgroup task_reduction(+: s, b) task_reduction(max: t)
    do i = 1, n
      !$omp task in_reduction(+: s, b) private(w, k)
      k = 1 + mod(i, 3)
      w = x(i)**2
      s = s + w*x(1)
      b(k) = b(k) + w
      b(1) = b(1) + x(i)
      !$omp end task
      !$omp task in_reduction(max: t)
      t = max(t, x(i)*x(1))
      !$omp end task
    end do
    !$omp end taskgroup
    !$omp taskloop reduction(+: b) private(k)
    do i = 1, n
      k = 1 + mod(2*i, 3)
      b(k) = b(k) + s*x(i)
    end do
    !$omp end taskloop
    !$omp end single
    !$omp end parallel
    s = s*t
  end subroutine
end module
