! What a process gets from memory of another one's: the variable that it lies in isn't named.
! head: m::f(y)/(x)
! refused: C0410
module m
  use mpi
  implicit none
  real(8), asynchronous :: w(100)
  integer :: win
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: c(n)
    integer :: ierr
    w(1:n) = x**2
    call mpi_win_fence(0, win, ierr)
    call mpi_get(c, n, mpi_double_precision, 0, 0_mpi_address_kind, n, mpi_double_precision, win, ierr)
    call mpi_win_fence(0, win, ierr)
    y = x*c
  end subroutine
end module
