! head: f(v)/(u)
! head: g(x)/(x, y)
! head: h(y)/(x, y)
! head: ends(y)/(x)
! size: n=6
! threads: 4
! Tasks that wait for others, sections with sums, and array statements of several sections: those that don't touch each other
! are done side by side in both sweeps.
subroutine f(n, u, v)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: u(n)
  real(8), intent(out) :: v(n)
  real(8) :: a(100), b(100)
  integer :: i
  !$omp parallel
  !$omp single
  !$omp task depend(out: a) shared(a)
  do i = 1, n
    a(i) = u(i)**2
  end do
  !$omp end task
  !$omp task depend(out: b) shared(b)
  b(1:n) = exp(-u)
  !$omp end task
  !$omp task depend(in: a, b) shared(a, b, v)
  v = a(1:n)*b(1:n) + u
  !$omp end task
  !$omp taskwait
  !$omp end single
  !$omp end parallel
end subroutine
subroutine g(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x
  real(8), intent(in) :: y(n)
  real(8) :: a, b
  integer :: i
  a = x
  b = x**2
  !$omp parallel
  !$omp sections private(i) reduction(+: a)
  !$omp section
  do i = 1, n
    a = a + y(i)*b
  end do
  !$omp section
  do i = 1, n
    a = a - y(i)**2
  end do
  !$omp end sections
  !$omp single
  x = a*b
  !$omp end single
  !$omp end parallel
end subroutine
subroutine h(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y(n)
  real(8) :: a(n), b(n), c
  integer :: i
  !$omp parallel sections
  a = x**2
  !$omp section
  b = y*x
  !$omp section
  c = 2*x(1)
  !$omp end parallel sections
  !$omp parallel do
  do i = 1, n
    y(i) = y(i)*a(i) + b(n + 1 - i)*c
  end do
end subroutine
subroutine ends(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(40)
  real(8), intent(out) :: y(40)
  y = n
  !$omp parallel sections
  !$omp section
  y(1:20) = y(1:20)*x(1:20)*x(30)
  !$omp section
  y(21:30) = y(21:30)*x(21:30)*x(30)
  !$omp end parallel sections
end subroutine
