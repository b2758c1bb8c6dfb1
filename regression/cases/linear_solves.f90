! Solvers that a directive declares: their derivatives solve with the transpose, whatever they leave in the matrix.
! head: m::dense(y)/(p)
! head: m::several(y)/(p)
! head: m::diffusion(y)/(k, y)
! head: lin::tridag(u)/(a, b, c, r)
! size: n=5
! value: nt=3
module lin
  implicit none
contains
  subroutine eliminate(n, m, a, b)
    integer, intent(in) :: n, m
    complex(8), intent(inout) :: a(n, *), b(n, m)
    integer :: i, k
    !$ad linear-solve matrix(a) rhs(b) size(n)
    do k = 1, n - 1
      do i = k + 1, n
        a(i, k) = a(i, k)/a(k, k)
        a(i, k+1:n) = a(i, k+1:n) - a(i, k)*a(k, k+1:n)
        b(i, :) = b(i, :) - a(i, k)*b(k, :)
      end do
    end do
    do i = n, 1, -1
      do k = i + 1, n
        b(i, :) = b(i, :) - a(i, k)*b(k, :)
      end do
      b(i, :) = b(i, :)/a(i, i)
    end do
  end subroutine eliminate

  subroutine sized(a, lda, n, b, work, ierr)
    integer lda, n, ierr
    real(8) a(lda, *), b(*), work(n)
    integer i, k
    real(8) f
    !$ad linear-solve matrix(a) rhs(b) size(n) work(work)
    ierr = 0
    do k = 1, n - 1
      do i = k + 1, n
        f = a(i, k)/a(k, k)
        a(i, k:n) = a(i, k:n) - f*a(k, k:n)
        b(i) = b(i) - f*b(k)
      end do
    end do
    do i = n, 1, -1
      work(i) = sum(a(i, i+1:n)*b(i+1:n))
      b(i) = (b(i) - work(i))/a(i, i)
    end do
  end subroutine sized

  function solved(a, b) result(x)
    real(8), intent(in) :: a(:, :), b(:)
    real(8) :: x(size(b))
    real(8) :: w(size(b), size(b)), v(size(b))
    integer :: info
    !$ad linear-solve matrix(a) rhs(b)
    w = a
    x = b
    call sized(w, size(b), size(b), x, v, info)
  end function solved

  subroutine cholesky(n, m, a, b)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: a(n, n), b(n, m)
    integer :: i, j
    !$ad linear-solve matrix(a) symmetric(upper) rhs(b)
    do j = 1, n
      do i = 1, j - 1
        a(i, j) = (a(i, j) - dot_product(a(1:i-1, i), a(1:i-1, j)))/a(i, i)
      end do
      a(j, j) = sqrt(a(j, j) - dot_product(a(1:j-1, j), a(1:j-1, j)))
      b(j, :) = (b(j, :) - matmul(a(1:j-1, j), b(1:j-1, :)))/a(j, j)
    end do
    do j = n, 1, -1
      b(j, :) = (b(j, :) - matmul(a(j, j+1:n), b(j+1:n, :)))/a(j, j)
    end do
  end subroutine cholesky

  subroutine lower(n, a, b, x)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n, n), b(n, 2)
    real(8), intent(inout) :: x(n, 2)
    real(8) :: c(n, n)
    !$ad linear-solve matrix(a) symmetric(lower) rhs(b) solution(x)
    c = transpose(a)
    x = b
    call cholesky(n, 2, c, x)
  end subroutine lower

  subroutine tridag(a, b, c, r, u, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), b(n), c(n), r(n)
    real(8), intent(out) :: u(n)
    real(8) :: gam(n), bet
    integer :: j
    !$ad linear-solve tridiagonal(a, b, c) rhs(r) solution(u)
    if (n < 1) return
    bet = b(1)
    u(1) = r(1)/bet
    do j = 2, n
      gam(j) = c(j-1)/bet
      bet = b(j) - a(j)*gam(j)
      u(j) = (r(j) - a(j)*u(j-1))/bet
    end do
    do j = n - 1, 1, -1
      u(j) = u(j) - gam(j+1)*u(j+1)
    end do
  end subroutine tridag

  subroutine columns(a, b, c, r)
    real(8), intent(in) :: a(:), b(size(a)), c(:)
    real(8), intent(inout) :: r(:, :)
    real(8) :: u(size(r, 1))
    integer :: k
    !$ad linear-solve tridiagonal(a, b, c) rhs(r)
    do k = 1, size(r, 2)
      call tridag(a, b, c, r(:, k), u, size(u))
      r(:, k) = u
    end do
  end subroutine columns

  subroutine upper_triangle(n, a, b)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n, n)
    real(8), intent(inout) :: b(n)
    integer :: i
    !$ad linear-solve matrix(a) triangle(upper) rhs(b) transposed(upper_triangle_t)
    do i = n, 1, -1
      b(i) = (b(i) - dot_product(a(i, i+1:), b(i+1:)))/a(i, i)
    end do
  end subroutine upper_triangle

  subroutine upper_triangle_t(n, a, b)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n, n)
    real(8), intent(inout) :: b(n)
    integer :: i
    do i = 1, n
      b(i) = (b(i) - dot_product(a(:i-1, i), b(:i-1)))/a(i, i)
    end do
  end subroutine upper_triangle_t
end module lin

module m
  use lin
  implicit none
contains
  subroutine fill(n, p, a)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n)
    real(8), intent(out) :: a(n, n)
    integer :: i, j
    do j = 1, n
      do i = 1, n
        a(i, j) = sin(p(i) + 2*p(j)) + merge(5d0, 0d0, i == j)
      end do
    end do
  end subroutine fill

  subroutine dense(n, p, y)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n, n), big(n+2, n+1), b(n+3), w(n)
    integer :: ierr, k
    y = p
    do k = 1, 2
      call fill(n, y, a)
      big = 1d0
      big(1:n, 1:n) = a
      b = p(1)
      b(1:n) = p*y
      if (k > 0) call sized(big, n+2, n, b, w, ierr)
      y = b(1:n) + b(n+3) + solved(a, p**2)*p
    end do
    call upper_triangle(n, a, y)
  end subroutine dense

  subroutine several(n, p, y)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n, n), c(n, n), x(n, 2), r(n, 2)
    complex(8) :: z(n, n), b(n, 2)
    call fill(n, p, a)
    z = cmplx(a, 0.3d0*transpose(a), 8)
    b(:, 1) = cmplx(p, 1d0, 8)
    b(:, 2) = cmplx(1d0, p**2, 8)
    call eliminate(n, 2, z, b)
    y = real(b(:, 1)) + aimag(b(:, 2))*real(b(:, 2))
    c = matmul(a, transpose(a))
    x = 1
    r(:, 1) = y
    r(:, 2) = p
    call lower(n, c, r, x)
    if (n > 1) c(1, 2) = c(1, 2) + p(2)
    call cholesky(n, 2, c, x)
    y = x(:, 1) + y*x(:, 2)
  end subroutine several

  subroutine diffusion(n, nt, k, y)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: k(n)
    real(8), intent(inout) :: y(n)
    real(8) :: a(n), b(n), c(n), u(n), r(n, 2)
    integer :: it
    do it = 1, nt
      a = -k*(1 + 0.1d0*y)
      c = -k**2
      b = 3 + k + y**2
      call tridag(a, b, c, y, u, n)
      y = u
      call tridag(a, b, a, y, u, n)
      r(:, 1) = y
      r(:, 2) = u**2
      call columns(a, b, c, r)
      y = r(:, 1) + u*r(:, 2)
    end do
  end subroutine diffusion
end module m
