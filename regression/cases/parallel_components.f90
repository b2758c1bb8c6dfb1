! head: m::f(y)/(x)
! size: n=9
! threads: 4
! Components of objects to whose derivatives iterations add, while they use those of other components: neighbours, index tables,
! numbers that all share, objects by a table; atomic updates name their variable once.
module m
  implicit none
  type cell
    real(8) :: a, b(3)
  end type cell
  type field
    real(8), allocatable :: v(:), w(:), z(:, :)
    type(cell), allocatable :: c(:)
    real(8) :: s = 1d0
  end type field
contains
  subroutine f(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(field) :: g(3), h
    integer :: i, k, it, kk(3), idx(n)
    kk = [2, 3, 1]
    idx = [(1 + mod(7*i, n), i = 1, n)]
    do k = 1, 3
      allocate(g(k)%v(0:n + 1), g(k)%w(n), g(k)%z(n, 2), g(k)%c(n))
      g(k)%v = 0.3d0; g(k)%w = 0.1d0; g(k)%z = 0.2d0
      g(k)%v(1:n) = x*k
      do i = 1, n
        g(k)%c(i) = cell(x(i), [x(i), 0.5d0, x(1)])
      end do
    end do
    h = g(2)
    do it = 1, 2
    do k = 1, 3
      !$omp parallel do
      do i = 1, n
        g(k)%w(i) = g(k)%v(i - 1)*g(kk(k))%v(i + 1) + g(k)%v(i)*g(k)%w(i)
        g(k)%z(i, 1) = g(k)%z(i, 2)*g(k)%v(idx(i)) + g(k)%z(i, 1)
      end do
      !$omp parallel do
      do i = 2, n
        g(k)%c(i)%b(2) = g(k)%c(i)%b(1)*g(k)%w(i - 1) + g(k)%c(idx(i))%a*0.1d0
      end do
      do concurrent (i = 1:n)
        g(k)%z(i, 2) = sin(g(k)%v(idx(i))*g(k)%z(i, 1))*g(kk(k))%w(i)
        h%v(i) = 0.5d0*h%v(i) + h%w(max(1, i - 1))*g(k)%z(i, 2)*0.1d0
      end do
      !$omp parallel do
      do i = 1, n
        g(k)%v(i) = 0.9d0*g(k)%v(i) + 0.1d0*sin(g(k)%w(i)*h%v(i))*g(k)%s
      end do
    end do
    g(2)%s = x(2)
    end do
    y = g(1)%v(1:n)*g(2)%w + g(3)%z(:, 1) + h%v(1:n)
    do i = 1, n
      y(i) = y(i) + g(2)%c(i)%b(2)
    end do
  end subroutine f
end module m
