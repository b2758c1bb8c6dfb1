! head: head(y)/(x)
! size: n=4
! A called procedure changes an index in common under another name.
subroutine setk(i)
  integer :: i, kk
  common /c/ kk
  kk = i
end subroutine
subroutine head(n, x, y)
  integer :: n, k
  real(8) :: x(n), y
  common /c/ k
  k = 1
  y = x(k)
  call setk(2)
  y = y*x(k)
end subroutine
