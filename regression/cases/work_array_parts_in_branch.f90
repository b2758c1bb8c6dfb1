! head: m::f(y)/(x)
! size: n=4 k=2 dims=1
! Parts of a work array begin at offsets that are computed in turn, after conditions on the numbers of elements.
module m
contains
subroutine f(n, k, dims, x, y)
  integer, intent(in) :: n, k, dims
  real(8), intent(in) :: x(20)
  real(8), intent(out) :: y(4)
  real(8) :: w(200)
  integer :: first, second, third, order, total
  y = 0
  if (dims <= 0 .or. dims > 10) return
  if (k >= 1) then
    order = k - 1 + k
    total = n*dims
    w(1:20) = x
    first = 1 + n
    second = first + total
    third = second + n*order
    call spline(n, total, k, w, w(first), w(second), w(third))
    y = w(1:4)
  end if
end subroutine
subroutine spline(n, total, k, a, z, q, b)
  integer, intent(in) :: n, total, k
  real(8) :: a(n), z(total), q(2*k - 1, n), b(n)
  integer :: i
  do i = 1, n
    b(i) = a(i)**2
    z(i) = b(i)*a(i)
    q(1, i) = a(i)*b(i)
  end do
  do i = 1, n
    a(i) = b(i)*q(1, i) + z(i)
  end do
end subroutine
end module
