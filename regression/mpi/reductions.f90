! Maxima and products over processes, in place too.
! head: m::f(y)/(x)
! size: n=4
! processes: 3
module m
  use mpi_f08
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: s(2), t(2)
    type(MPI_Comm) :: c
    c = MPI_COMM_WORLD
    s(1) = maxval(x**2)
    s(2) = product(x)
    call MPI_Allreduce(s, t, 2, MPI_DOUBLE_PRECISION, MPI_MAX, c)
    s = s * t
    call MPI_Allreduce(MPI_IN_PLACE, s, 2, MPI_DOUBLE_PRECISION, MPI_PROD, c)
    y = s(1)*x + s(2)*t(2)
  end subroutine f
end module m
