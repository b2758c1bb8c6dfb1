! LAPACK's orthogonal factorisations and least squares, with work arrays whose size is asked for.
! head: m::fitted(y)/(x)
! head: m::least(y)/(x)
! head: m::factors(y)/(x)
! head: m::products(y)/(x)
! size: n=4
! link: -llapack -lblas
module m
  implicit none
contains
  subroutine fill(m, n, x, a)
    integer, intent(in) :: m, n
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: a(m, n)
    integer :: i, j
    do j = 1, n
      do i = 1, m
        a(i,j) = cos(x(mod(i, size(x)) + 1)*j + 0.3d0*i) + 0.1d0*x(1)
      end do
    end do
  end subroutine fill

  ! More equations than unknowns, and the other way round with the transpose.
  subroutine fitted(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(2*n, n), b(2*n, 2), query(1)
    real(8), allocatable :: work(:)
    integer :: info
    call fill(2*n, n, x, a)
    b(:n,1) = x**2
    b(n+1:,1) = 0.5d0 + x
    b(:,2) = 1d0
    call dgels('N', 2*n, n, 2, a, 2*n, b, 2*n, query, -1, info)
    allocate(work(int(query(1))))
    call dgels('N', 2*n, n, 2, a, 2*n, b, 2*n, work, size(work), info)
    y = b(:n,1) + b(:n,2)**2
    a = 0d0
    call fill(n, 2*n, x, a)
    b(:2*n,1) = 0.3d0*cos(x(2))
    b(2,1) = x(1)
    call dgels('T', n, 2*n, 1, a, n, b, 2*n, work, size(work), info)
    y = y + b(:n,1)
  end subroutine fitted

  ! The shortest of all solutions.
  subroutine least(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n, n+2), b(n+2, 1), c(n+2, n), work(100)
    integer :: info
    call fill(n, n + 2, x, a)
    b(:n,1) = x
    call dgels('N', n, n + 2, 1, a, n, b, n + 2, work, 100, info)
    y = b(:n,1)*b(n+2,1)
    call fill(n + 2, n, x, c)
    b(:n,1) = y
    call dgels('T', n + 2, n, 1, c, n + 2, b, n + 2, work, 100, info)
    y = y + b(3:,1)
    call dgels('T', n + 2, n, 0, c, n + 2, b, n + 2, work, 100, info)
  end subroutine least

  ! R and Q themselves.
  subroutine factors(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n+2, n), tau(n), work(100)
    integer :: info, i
    call fill(n + 2, n, x, a)
    call dgeqrf(n + 2, n, a, n + 2, tau, work, -1, info)
    call dgeqrf(n + 2, n, a, n + 2, tau, work, 100, info)
    do i = 1, n
      y(i) = a(i,i)*a(1,i) + tau(i)
    end do
    call dorgqr(n + 2, n, n, a, n + 2, tau, work, 100, info)
    y = y + a(2,:)*a(n+2,:)
  end subroutine factors

  subroutine products(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n, n), c(n, 3), tau(n), work(64*n)
    integer :: info
    call fill(n, n, x, a)
    call dgeqrf(n, n, a, n, tau, work, 64*n, info)
    call fill(n, 3, x, c)
    call dormqr('L', 'T', n, 3, n, a, n, tau, c, n, work, 64*n, info)
    y = c(:,1)*c(:,2) + c(:,3)
    call dormqr('R', 'N', 1, n, n - 1, a, n, tau, y, 1, work, 64*n, info)
    ! The system is solved with the factors.
    call dormqr('L', 'T', n, 1, n, a, n, tau, y, n, work, 64*n, info)
    call dtrsv('U', 'N', 'N', n, a, n, y, 1)
  end subroutine products
end module m
