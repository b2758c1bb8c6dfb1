! head: head(y)/(x)
! Data statements of arrays of rank 2 and of elements.
subroutine head(x, y)
  implicit none
  real(8), intent(in) :: x(2)
  real(8), intent(out) :: y
  real(8) :: a(2,2), b(2), c(2)
  data a/1d0, 2d0, 3d0, 4d0/
  data b/1d0, 2d0/
  data c(1), c(2)/5d0, 6d0/
  y = sum(matmul(a, x)*b)*c(1)*x(2)
end subroutine
