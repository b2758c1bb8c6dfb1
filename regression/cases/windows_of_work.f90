! head: a(y)/(x)
! head: b(y)/(x)
! head: c(y)/(x)
! head: d(y)/(x)
! size: n=6
! Elements of work arrays that stand for the parts behind them, as older code passes them.
subroutine scale_part(n, w, f)
  integer n
  real(8) w(n), f
  integer i
  do i = 1, n
    w(i) = w(i)*f + w(n)*0.1d0
  end do
end subroutine
subroutine grow(n, w)
  integer n, i
  real(8) w(0:n)
  do i = 0, n
    w(i) = sin(w(i))*w(0)
  end do
  n = n + 1
end subroutine
subroutine mat(m, n, a, r)
  integer m, n, i, j
  real(8) a(m, n), r
  do j = 1, n
    do i = 1, m
      r = r + a(i, j)**2*j
      a(i, j) = a(i, j)*r
    end do
  end do
end subroutine
subroutine a(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  real(8) :: work(3*100)
  integer :: i1, i2
  i1 = 1
  i2 = i1 + n
  work(i1:i1+n-1) = x
  work(i2:i2+n-1) = 2*x
  call scale_part(n, work(i1), x(1))
  call scale_part(n - 2, work(i2 + 1), work(i1))
  call scale_part(0, work(i2 + n), x(2))
  y = work(i1:i1+n-1)*work(i2:i2+n-1)
end subroutine
subroutine b(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  real(8), allocatable :: w(:)
  integer :: k
  allocate(w(0:n+3))
  w = 0.5d0
  w(1:n) = x
  k = 2
  call grow(k, w(2))
  call grow(k, w(0))
  y = w(1:n)*k
end subroutine
subroutine c(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  real(8) :: w(n, n), t(n*n), r
  integer :: i
  do i = 1, n
    w(:, i) = x*i
  end do
  r = 0
  call mat(n, 2, w(1, 2), r)
  call mat(n, n - 1, w(1, 1), r)
  t = reshape(w, [n*n])
  call mat(2, 2, t(3), r)
  call mat(n, 1, t(n*n - n + 1), r)
  y = t(1:n) + t(n*n - n + 1:n*n)*r
end subroutine
subroutine d(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  integer :: i, k
  y = x
  k = 1
  do i = 1, n - 2
    k = mod(k, 2) + 1
    call scale_part(k, y(i), y(n))
    call scale_part(3, y(max(1, i - 1)), x(i))
  end do
end subroutine
