! head: m::blocks(y)/(x)
! head: m::constructed(y)/(x)
! head: m::products(y)/(a, x)
! size: n=7
! threads: 4
! Variables of blocks, and what array expressions need for themselves, are each iteration's own.
module m
  implicit none
contains
  subroutine blocks(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    !$omp parallel do
    do i = 1, n
      block
        real(8) :: pair(2), last
        integer :: k
        pair(1) = x(i)
        pair(2) = x(n + 1 - i)**2
        last = 0
        do k = 1, 2
          last = last + pair(k)*pair(3 - k)
        end do
        y(i) = norm2(pair) + last
      end block
    end do
  end subroutine
  subroutine constructed(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, k
    real(8) :: w(5), square(3, 3)
    !$omp parallel do private(w, square, k)
    do i = 3, n - 2
      w = x(i - 2:i + 2)
      w = w(5:1:-1)*w
      square = reshape([w(1:3), w(2:4), w(3:5)], [3, 3])
      square = matmul(square, transpose(square))
      y(i) = square(1, 1)*square(2, 3) - sum([(square(k, k), k = 1, 3)]) + minval(w)
    end do
    y(1:2) = x(1:2)
    y(n - 1:n) = x(n - 1:n)
  end subroutine
  subroutine products(n, a, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: a(3, 3), x(3, n)
    real(8), intent(out) :: y(3, n)
    integer :: i
    !$omp parallel do
    do i = 1, size(y, 2)
      y(:, i) = matmul(a, x(:, i)) + x(:, i)
    end do
    do concurrent (i = 1:size(y, 2))
      y(:, i) = matmul(transpose(a), y(:, i))*n
    end do
  end subroutine
end module
