! head: m::f(y)/(x)
! size: n=6
! zero sizes, given bounds, remapped ranks, elements and scalars behind pointers
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: w(2*n), s
    real(8), pointer :: p(:), g(:,:), e, z(:)
    integer :: i, j
    w(:n) = x
    w(n+1:) = sin(x)
    p(0:) => w(2:n)
    do i = 0, n - 2
      p(i) = p(i)*w(1)
    end do
    g(1:n,1:2) => w
    do j = 1, 2
      do i = 1, n
        g(i,j) = g(i,j)**2 + w(1)
      end do
    end do
    e => g(2,2)
    e = e*w(3)
    z => w(3:2)
    z = 5
    s = sum(z)
    e => s
    e = e + w(2)
    y = g(:,1) + g(:,2)*s + size(z)
  end subroutine f
end module m
