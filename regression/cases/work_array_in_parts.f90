! head: top(f)/(x)
! size: n=5
! disjoint parts of one work array as arguments
subroutine top(n, x, f, w)
  integer :: n
  double precision :: x(2*n), f, w(2*n)
  integer :: k
  do k = 1, 2*n
    w(k) = x(k)
  end do
  call part(n, w(1), w(n+1), f)
end subroutine top
subroutine part(n, a, b, f)
  integer :: n
  double precision :: a(n), b(n), f
  integer :: i
  f = 0
  do i = 1, n
    a(i) = a(i)*b(i)
    f = f + a(i)**2
  end do
end subroutine part
