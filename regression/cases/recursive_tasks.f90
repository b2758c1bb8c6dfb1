! head: a(s)/(x, c)
! head: b(y)/(x, y, w)
! head: c(s)/(x)
! head: d(y)/(x, y)
! head: e(s)/(x, y)
! head: g(s)/(x, y)
! size: n=13
! threads: 4
! Procedures that call themselves in tasks: on halves of arrays, with numbers that all calls use, where halves overlap, with
! what the thread does that makes the tasks, and as functions.
module m
  implicit none
contains
  subroutine a(x, c, s, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), c
    real(8), intent(out) :: s
    !$omp parallel
    !$omp single
    call total(n, x, c, s)
    !$omp end single
    !$omp end parallel
    s = s*c
  end subroutine
  recursive subroutine total(n, x, c, s)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), c
    real(8), intent(out) :: s
    real(8) :: left, right
    integer :: h
    if (n <= 2) then
      s = c*sum(x**2)
      return
    end if
    h = n/2
    !$omp task shared(left) if(n > 3)
    call total(h, x(1:h), c, left)
    !$omp end task
    !$omp task shared(right) final(n < 5)
    call total(n - h, x(h+1:n), c, right)
    !$omp end task
    !$omp taskwait
    s = left + right + 0.1d0*left*right*x(h)
  end subroutine
  ! In place, with weights, and the second half by the same thread.
  subroutine b(x, y, w, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), w(3)
    real(8), intent(inout) :: y(n)
    integer :: k
    do k = 1, 2
      !$omp parallel
      !$omp masked
      call sweep(x, y, w)
      !$omp end masked
      !$omp end parallel
    end do
  end subroutine
  recursive subroutine sweep(x, y, w)
    real(8), intent(in) :: x(:), w(3)
    real(8), intent(inout) :: y(:)
    integer :: h, i
    if (size(x) < 3) then
      do i = 1, size(x)
        y(i) = y(i)*x(i)*w(1 + mod(i, 3)) + w(3)
      end do
    else
      h = size(x)/2
      !$omp task shared(x, y, w)
      call sweep(x(:h), y(:h), w)
      !$omp end task
      call sweep(x(h+1:), y(h+1:), w)
      !$omp taskwait
      y(h) = y(h)*y(h+1)
    end if
  end subroutine
  ! Of neighbouring parts both use one element.
  subroutine c(x, s, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: s
    !$omp parallel
    !$omp single
    call edges(n, x, s)
    !$omp end single
    !$omp end parallel
  end subroutine
  recursive subroutine edges(n, x, s)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: s
    real(8) :: part(2)
    integer :: h
    s = 0
    if (n < 2) return
    if (n == 2) then
      s = (x(2) - x(1))**2*x(2)
      return
    end if
    h = n/2 + 1
    !$omp task shared(part, x)
    call edges(h, x(1:h), part(1))
    !$omp end task
    !$omp task shared(part, x)
    call edges(n - h + 1, x(h:n), part(2))
    !$omp end task
    !$omp taskwait
    s = part(1) + part(2)
  end subroutine
  ! Quarters, and work arrays of each call.
  subroutine d(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    !$omp parallel
    !$omp single
    call quarters(n, x, y)
    !$omp end single
    !$omp end parallel
  end subroutine
  recursive subroutine quarters(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: t(n)
    integer :: q
    t = x*y
    if (n < 4) then
      y = sin(t)
    else
      q = n/3
      !$omp task shared(t, x, y)
      call quarters(q, t(1:q), y(1:q))
      !$omp end task
      !$omp task shared(t, x, y)
      call quarters(q, t(q+1:2*q), y(q+1:2*q))
      !$omp end task
      !$omp task shared(t, x, y)
      call quarters(n - 2*q, t(2*q+1:n), y(2*q+1:n))
      !$omp end task
      !$omp taskwait
      y = y + t
    end if
  end subroutine
  ! A tree of numbers, to whose derivatives all calls add.
  subroutine e(x, y, s, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), y
    real(8), intent(out) :: s
    !$omp parallel
    !$omp single
    s = tree(1, n, x, y)
    !$omp end single
    !$omp end parallel
  end subroutine
  recursive function tree(node, n, x, y) result(r)
    integer, intent(in) :: node, n
    real(8), intent(in) :: x(n), y
    real(8) :: r, l, g
    r = 0
    if (node > n) return
    !$omp task shared(l, x, y)
    l = tree(2*node, n, x, y)
    !$omp end task
    !$omp task shared(g, x, y) if(node < 4)
    g = tree(2*node + 1, n, x, y)
    !$omp end task
    !$omp taskwait
    r = x(node)**2*y + 0.5d0*(l + g)*x(node)
  end function
  ! The same between limits, where lanes of a vector add.
  subroutine g(x, y, s, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), y
    real(8), intent(out) :: s
    !$omp parallel
    !$omp single
    call ranges(n, x, y, 1, n, s)
    !$omp end single
    !$omp end parallel
  end subroutine
  recursive subroutine ranges(n, x, c, lo, hi, s)
    integer, intent(in) :: n, lo, hi
    real(8), intent(in) :: x(n), c
    real(8), intent(out) :: s
    real(8) :: s1, s2
    integer :: mid, i
    if (hi - lo < 4) then
      s = 0
      !$omp simd reduction(+: s)
      do i = lo, hi
        s = s + x(i)**2*c
      end do
    else
      mid = (lo+hi)/2
      !$omp task shared(s1)
      call ranges(n, x, c, lo, mid, s1)
      !$omp end task
      !$omp task shared(s2)
      call ranges(n, x, c, mid+1, hi, s2)
      !$omp end task
      !$omp taskwait
      s = s1 + s2 + 0.1d0*s1*s2
    end if
  end subroutine
end module
