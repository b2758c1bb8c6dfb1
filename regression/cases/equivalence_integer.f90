! head: head(y)/(x)
! size: n=6
! Integers share memory by equivalence.
subroutine head(n, x, y)
  integer :: n, k, l
  real(8) :: x(n), y
  equivalence (k, l)
  k = 1
  y = x(k)
  l = 2
  y = y*x(k)
end subroutine
