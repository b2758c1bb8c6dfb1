! head: a(y)/(x)
! head: b(y, s)/(x)
! head: c(y)/(x)
! head: d(y)/(x)
! head: e(y, s)/(x)
! head: g(y)/(x)
! head: h(y)/(x)
! size: n=14
! threads: 4
! Tasks that loops make which compute what the tasks get copies of.
module m
  implicit none
contains
  subroutine a(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: v
    v = x(1)
    !$omp parallel
    !$omp single
    do i = 1, n
      v = v*0.95d0 + 0.01d0*x(i)
      !$omp task firstprivate(v, i) shared(x, y)
      v = v*x(i)
      y(i) = v + v**2
      !$omp end task
    end do
    !$omp end single
    !$omp end parallel
    y(1) = y(1)*v
  end subroutine
  subroutine part_of(x, y, lo, hi, part)
    real(8), intent(in) :: x(:)
    real(8), intent(inout) :: y(:)
    integer, intent(in) :: lo, hi
    real(8), intent(out) :: part
    integer :: i
    part = 0
    do i = lo, hi
      y(i) = x(i)**2 + x(size(x)+1-i)
      part = part + y(i)
    end do
  end subroutine
  subroutine b(x, y, s, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n), s
    integer :: lo, k
    real(8) :: p(n)
    !$omp parallel
    !$omp master
    k = 0
    do lo = 1, n, 5
      k = k + 1
      !$omp task firstprivate(lo, k) shared(x, y, p) untied
      call part_of(x, y, lo, min(lo+4, n), p(k))
      !$omp end task
    end do
    !$omp taskwait
    s = sum(p(1:k))
    !$omp end master
    !$omp end parallel
    y = y/s
  end subroutine
  subroutine c(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, k
    real(8) :: w(n)
    !$omp parallel private(k)
    !$omp single
    k = 2
    do i = 1, n
      k = mod(k*5, 7) + 1
      !$omp task
      y(i) = x(i)*k
      w(i) = y(i)*x(k)
      !$omp end task
    end do
    !$omp end single
    !$omp do
    do i = 1, n
      y(i) = y(i) + w(n+1-i)
    end do
    !$omp end parallel
  end subroutine
  ! Two tasks of an iteration, downwards; what is computed behind them is for the next iteration's.
  subroutine d(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: f, g
    f = x(2); g = 1
    !$omp parallel
    !$omp single
    do i = n, 2, -2
      if (x(i) > 0.5d0) g = g*1.1d0
      !$omp task firstprivate(f, i)
      y(i) = f*x(i)**2
      !$omp end task
      f = f + 0.1d0*x(i)*g
      !$omp task firstprivate(f, g, i)
      f = f*g
      y(i-1) = f*x(i-1)
      !$omp end task
      g = g + x(i-1)
    end do
    !$omp end single
    !$omp end parallel
    if (mod(n, 2) == 1) y(1) = 0
    y(n) = y(n) + f*g
  end subroutine
  ! Tasks that are run at once, and one whose variable is shared: the order counts.
  subroutine e(x, y, s, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n), s
    integer :: i
    real(8) :: v
    v = x(1); s = 0
    !$omp parallel
    !$omp single
    do i = 1, n
      v = v*0.95d0 + 0.01d0*x(i)
      !$omp task if(.false.) shared(v, s)
      s = s + v*x(i)
      v = v + s*x(i)
      !$omp end task
    end do
    do i = 1, n
      y(i) = v*x(i)
      v = v*0.9d0
    end do
    !$omp end single
    !$omp end parallel
  end subroutine
  ! Tasks that wait for those of earlier iterations, and for each other.
  subroutine g(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: v(0:n), c
    integer :: i
    v = x(1)
    !$omp parallel
    !$omp single
    do i = 1, n
      c = x(i)**2
      !$omp task depend(in: v(i-1)) depend(inout: v(i)) firstprivate(c)
      v(i) = v(i)*c + v(i-1)**2*0.2d0
      !$omp end task
      !$omp task depend(inout: v(i)) firstprivate(c)
      v(i) = v(i)*c
      !$omp end task
    end do
    !$omp end single
    !$omp end parallel
    y = v(1:n)
  end subroutine
  ! One construct: its variables are those of all threads.
  subroutine h(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    y = x(1)
    !$omp parallel master taskloop
    do i = 1, n
      y(i) = y(i)*x(i)
    end do
    !$omp end parallel master taskloop
  end subroutine
end module
