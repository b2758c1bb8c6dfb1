! Procedures outside of modules that pass messages of arrays of other shapes than their callers': a vector, an element with which a
! plane starts. Their adjoints have halves in a module of their own.
! head: f(y)/(x)
! size: n=4
! processes: 3
subroutine halo3(n, m, a, me, np)
  use mpi
  implicit none
  integer, intent(in) :: n, m, me, np
  real(8), intent(inout) :: a(0:n+1,*)
  integer :: ierr, up, down, j, req(2)
  up = modulo(me + 1, np)
  down = modulo(me - 1, np)
  do j = 1, m
    call mpi_irecv(a(0, j), 1, mpi_double_precision, down, 1, mpi_comm_world, req(1), ierr)
    call mpi_isend(a(n, j), 1, mpi_double_precision, up, 1, mpi_comm_world, req(2), ierr)
    call mpi_waitall(2, req, mpi_statuses_ignore, ierr)
    a(1:n, j) = sin(a(1:n, j))*a(0, j)
  end do
end subroutine
subroutine both(n, m, a, s, me, np)
  implicit none
  integer, intent(in) :: n, m, me, np
  real(8), intent(inout) :: a((n+2)*m), s
  s = s*a(2)
  if (m > 1) call halo3(n, m, a, me, np)
  call halo3(n, 1, a(1), me, np)
  s = s + a(1)**2
end subroutine
subroutine f(n, x, y)
  use mpi
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  real(8) :: a(n+2, 3, 2), s
  integer :: me, np, ierr, j, k
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  call mpi_comm_size(mpi_comm_world, np, ierr)
  a = 1
  s = x(1)
  do j = 0, 2
    a(2:n+1, j+1, 2) = sin(x)*(j + 1)
    a(2:n+1, j+1, 1) = cos(x)
  end do
  do k = 1, 3
    call both(n, 3, a(1,1,2), s, me, np)
    if (k /= 2) call halo3(n, 2, a(1, 2, 1), me, np)
    a(2:n+1, :, 1) = a(2:n+1, :, 1)*a(2:n+1, :, 2) + s
  end do
  do j = 1, n
    y(j) = a(j+1,1,2)*a(j+1,2,1) + a(j+1,2,2)**2*a(j+1,3,1)*s
  end do
end subroutine
