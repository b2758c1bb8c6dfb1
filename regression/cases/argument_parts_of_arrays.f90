! head: top(y)/(x)
! size: n=5
! parts of a work array, columns of a matrix, read-only overlap of parts
subroutine top(n, x, y)
  implicit none
  integer :: n
  double precision :: x(2*n), y(4), w(2*n), q(n,4)
  integer :: k
  w = x
  do k = 1, 4
    q(:,k) = x(1:n)*k
  end do
  do k = 1, 3
    call change(n, q(1,k), q(1,k+1))
  end do
  call change(n, w(1), w(n+1))
  call readonly(n, w(1), w(2), y(1))
  call readonly(n, q(1,2), q(1,2), y(2))
  y(3) = sum(w**2)
  y(4) = sum(q**3)
end subroutine
subroutine change(n, a, b)
  implicit none
  integer :: n, i
  double precision :: a(n), b(n)
  do i = 1, n
    b(i) = a(i)*b(i) + a(i)
  end do
end subroutine
subroutine readonly(n, a, b, r)
  implicit none
  integer :: n, i
  double precision :: a(n), b(n), r
  r = 0
  do i = 1, n
    r = r + a(i)*b(n+1-i)
  end do
end subroutine
