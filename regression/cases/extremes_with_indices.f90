! head: a(mn, im)/(x)
! head: b(mx, im)/(x)
! head: c(mn, w)/(x)
! head: d(w, last)/(x)
! size: n=17
! threads: 4
! Where the least or greatest value is, found by threads each for itself, or by one after the other.
module m
  implicit none
contains
  subroutine a(x, mn, im, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: mn, im
    real(8) :: best, v, mine
    integer :: i, k, my
    best = huge(1d0); k = 0
    !$omp parallel private(v, mine, my)
    mine = huge(1d0); my = 0
    !$omp do
    do i = 1, n
      v = (x(i) - 0.7d0)**2 + 0.1d0*x(n+1-i)
      if (v < mine) then
        mine = v; my = i
      end if
    end do
    !$omp critical
    if (mine < best) then
      best = mine; k = my
    end if
    !$omp end critical
    !$omp end parallel
    mn = best
    im = x(k)*k
  end subroutine
  subroutine b(x, mx, im, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: mx, im
    real(8) :: best, v
    integer :: i, k
    best = -1; k = 0
    !$omp parallel do private(v)
    do i = 1, n
      v = x(i)*exp(-x(i)) + 0.01d0*i*x(n+1-i)
      if (v > best) then
        !$omp critical
        if (v > best) then
          best = v; k = i
        end if
        !$omp end critical
      end if
    end do
    mx = best
    im = x(k)
  end subroutine
  ! Of several per iteration, some left out, with what else is there.
  subroutine c(x, mn, w, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: mn, w(n)
    real(8) :: best, mine, at, there
    integer :: i, j, k, my
    best = 100; k = 1; there = 0
    w = 0
    !$omp parallel private(mine, at, my, j)
    mine = 100; my = 1; at = 0
    !$omp do
    do i = 1, n
      if (mod(i, 3) == 0) cycle
      do j = 1, 2
        if (mine > x(i)**j - 0.1d0*j) then
          my = i + j
          mine = x(i)**j - 0.1d0*j
          at = sin(x(i)*j)
        end if
      end do
      w(i) = 2*x(i)
    end do
    !$omp critical
    if (mine < best) then
      best = mine; k = my; there = at
    end if
    !$omp end critical
    !$omp end parallel
    mn = best*k
    w(1) = w(1)*there
  end subroutine
  subroutine d(x, w, last, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: w(2), last
    real(8) :: v(0:2, n)
    integer :: i
    v = x(1)
    !$omp parallel do lastprivate(w) lastprivate(v)
    do i = 1, n
      w(1) = x(i)**2
      w(2) = sin(x(i))
      v(:, :) = w(1)*w(2)
      v(1, i) = w(1)
    end do
    last = w(1)*v(1, n) + v(1, 1)
  end subroutine
end module
