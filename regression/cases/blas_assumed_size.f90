! Arrays of assumed size that BLAS and LAPACK change: what is saved are the elements that the procedures refer to.
! head: run(y)/(x)
! size: n=3
! link: -llapack -lblas
subroutine run(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  real(8) :: v(4), w(9), z(9), a(n,5), b(n,5), c(n,n), f, q(n*n+3*n), p
  integer :: i
  do i = 1, 9
    w(i) = 0.3d0*i*x(mod(i, n) + 1)
    z(i) = cos(w(i))
  end do
  do i = 1, 5
    a(:,i) = sin(x*i)
    b(:,i) = x/i
  end do
  v(1:n) = x**2
  v(4) = 1
  call steps(n, x, z, z(4), v, w)
  call products(n, 4, a, z(3), w, z, 'C')
  call columns(n, 4, 2, a, b, w)
  c = 0.5d0
  do i = 1, n
    c(i,i) = 3
  end do
  call constant(n, 2, c, b, x, f)
  do i = 1, size(q)
    q(i) = 0.3d0*sin(i*x(mod(i, n) + 1))
  end do
  call one_array(n, q, p)
  y = q(1:n)*q(n*n+1:n*n+n) + p
  y = y + v(1:n)*f + w(1:n) + a(:,2)*z(2) + b(:,3)
end subroutine run

subroutine steps(n, dl, d, du, v, w)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: dl(*), d(*), du(*)
  real(8), intent(inout) :: v(*), w(*)
  real(8) :: l1(n), d1(n), u1(n)
  integer :: info, i, it
  do it = 1, 2
    do i = 1, n
      l1(i) = dl(i)
      d1(i) = d(i) + 4 + v(i)**2
      u1(i) = du(i)
    end do
    call dgtsv(n, 1, l1, d1, u1, v, n, info)
    call dscal(n, v(1), w, 1)
    call daxpy(n - 1, v(1), v(2), -1, w(3), 2)
    w(1) = w(3)*w(2)
    ! Nothing of what isn't there is touched.
    call dscal(0, v(1), w(10), 1)
    call dgtsv(0, 2, l1, d1, u1, v(5), 1, info)
  end do
end subroutine steps

subroutine products(n, m, a, x, y, z, trans)
  implicit none
  integer, intent(in) :: n, m
  character, intent(in) :: trans
  real(8), intent(in) :: a(n,*), x(*)
  real(8), intent(inout) :: y(*), z(*)
  real(8) :: s, t
  integer :: k
  do k = 1, 2
    s = y(1)*z(2)
    call dgemv('N', n, m, s, a, n, x, 1, z(1), y(2), 2)
    y(1) = sin(y(2))
    t = y(2)
    call dgemv('t', n, m, t, a, n, z, 1, 0.5d0, y, 1)
    s = y(3)**2
    call dgemv(trans, n, m, t, a, n, z, -1, s, y, 1)
    call dgemm('N', 'T', 1, 1, m, s, a, n, z, 1, t, y(3), 2)
    y(1) = y(3)**2 + y(2)*y(1)
  end do
end subroutine products

subroutine columns(n, m, nr, a, b, w)
  implicit none
  integer, intent(in) :: n, m, nr
  real(8), intent(inout) :: a(n,*), b(n,*), w(*)
  integer :: piv(n), info, k, i
  real(8) :: s(n,n)
  do k = 1, 2
    s = a(1:n,1:n)
    do i = 1, n
      s(i,i) = s(i,i) + 4
    end do
    call dtrsm('L', 'U', 'N', 'N', n, nr, w(1), s, n, b(1,2), n)
    call dgesv(n, nr, s, n, piv, b(1,2), n, info)
    b(1,1) = b(1,2)**2
    call dscal(n, b(1,1), a(1,2), 1)
    a(1,1) = sin(a(1,2))
    call dger(n - 1, m - 1, w(1), a(1,1), 1, b(1,2), n, a(2,2), n)
    a(1,1) = a(1,1) + a(2,2)**2
    call dswap(n, a(1,1), 1, w(2), 2)
    w(1) = w(2)*w(4)
  end do
end subroutine columns

! The matrix has no derivative.
subroutine constant(n, nr, a, b, x, f)
  implicit none
  integer, intent(in) :: n, nr
  real(8), intent(in) :: x(*)
  real(8), intent(inout) :: a(n,*), b(n,*)
  real(8), intent(out) :: f
  integer :: piv(n), info, k
  do k = 1, nr
    b(1:n,k) = x(1:n)**k
  end do
  call dgesv(n, nr, a, n, piv, b, n, info)
  f = sum(b(1:n,1:nr)**2)
end subroutine constant

! The matrix and the vectors are parts of one array.
subroutine one_array(n, wk, s)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: wk(*)
  real(8), intent(out) :: s
  real(8), external :: ddot
  integer :: i, info, piv(n), ib, k
  ib = n*n + 1
  s = ddot(n, wk(1), 1, wk(2), 1)
  do k = 1, 2
    call dgemv('N', n, n, 0.5d0, wk(1), n, wk(ib), 1, 0.1d0, wk(ib+n), 1)
    call dsyr2('U', n, 0.1d0, wk(ib), 1, wk(ib+n), 1, wk(1), n)
    call dswap(n, wk(ib), 1, wk(ib+n), 1)
    wk(1) = sin(wk(1))
    s = s + ddot(n, wk(ib), 1, wk(ib), 1)*ddot(n, wk(ib), -1, wk(ib+1), 1)
  end do
  do i = 1, n
    wk((i-1)*n+i) = 3 + wk((i-1)*n+i)
  end do
  call dgesv(n, 1, wk, n, piv, wk(ib), n, info)
  s = s + ddot(n, wk(ib), 1, wk, n)
end subroutine one_array
