! Products in loops: what they multiply is overwritten in every step, and needed by their adjoints.
! head: f(y)/(a, x)
! head: f(y)/(x)
! head: scheduled(y)/(a, x)
! head: sums(y)/(a, x)
subroutine f(n, nt, a, x, y)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: a(n, n), x(n)
  real(8), intent(out) :: y(n)
  real(8) :: u(n)
  integer :: t
  u = x
  do t = 1, nt
    u = u + 0.1d0*matmul(a, u)*u
    u = matmul(u, a)/(1 + sum(u**2))
  end do
  y = u
end subroutine
subroutine scheduled(n, nt, a, x, y)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: a(n, n), x(n, n)
  real(8), intent(out) :: y(n, n)
  real(8) :: u(n, n), un(n, n)
  integer :: t
  u = x
  !$ad checkpoint schedule(revolve) snapshots(3)
  do t = 1, nt
    un = matmul(a, u)
    un = matmul(un, transpose(u)) + u
    u = 0.1d0*sin(un)
  end do
  y = u
end subroutine
subroutine sums(n, nt, a, x, y)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: a(n, n), x(n)
  real(8), intent(out) :: y
  real(8) :: u(0:n-1), un(0:n-1), w(n, n)
  integer :: t
  u = x
  w = a
  y = 0
  do t = 1, nt
    un = matmul(w, u)
    w = 0.1d0*matmul(w, a) + spread(0.1d0*un, 1, n)
    u = un/(1 + un*un)
    y = y + sum(matmul(w, u))
    if (y > 1d6) exit
  end do
end subroutine
