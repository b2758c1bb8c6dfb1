! A solver that iterates to a residual, with products over all processes in its condition.
! head: m::f(y)/(x)
! size: n=5
! processes: 3
module m
use mpi
implicit none
abstract interface
 subroutine op(a, b)
  real(8), intent(in) :: a(:)
  real(8), intent(out) :: b(:)
 end subroutine
end interface
real(8), allocatable :: diag(:)
contains
subroutine mat(a, b)
 real(8), intent(in) :: a(:)
 real(8), intent(out) :: b(:)
 b = diag*a + 0.1d0*pdot(a, diag)
end subroutine
real(8) function pdot(a, b)
 real(8), intent(in) :: a(:), b(:)
 integer :: ierr
 pdot = sum(a*b)
 call mpi_allreduce(mpi_in_place, pdot, 1, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
end function
subroutine solve(o, b, u)
 procedure(op) :: o
 real(8), intent(in) :: b(:)
 real(8), intent(inout) :: u(:)
 real(8) :: r(size(b)), q(size(b))
 integer :: k
 r = b
 k = 0
 do while (pdot(r, r) > 1d-8 .and. k < 6)
  k = k + 1
  call o(r, q)
  u = u + pdot(r, r)/pdot(r, q)*r
  call o(u, q)
  r = b - q
 end do
end subroutine
subroutine f(n, x, y)
 integer, intent(in) :: n
 real(8), intent(in) :: x(n)
 real(8), intent(out) :: y(n)
 if (allocated(diag)) deallocate(diag)
 allocate(diag(n))
 diag = 1 + x
 y = 0
 call solve(mat, x, y)
end subroutine
end module
