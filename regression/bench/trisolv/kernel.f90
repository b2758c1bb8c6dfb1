! trisolv: forward substitution l x = b, column-oriented, f = sum(x)
subroutine kernel(n, l, b, x, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n
  real(c_double), intent(in)    :: l(n,n), b(n)
  real(c_double), intent(inout) :: x(n)
  real(c_double), intent(out)   :: f
  integer :: i, j
  do i = 1, n
    x(i) = b(i)
  end do
  do j = 1, n
    x(j) = x(j)/l(j,j)
    do i = j+1, n
      x(i) = x(i) - l(i,j)*x(j)
    end do
  end do
  f = 0d0
  do i = 1, n
    f = f + x(i)
  end do
end subroutine
