! head: m::f(y)/(x)
! size: n=400
! threads: 4
! Elements that threads change by turns, by locks, are no iteration's own.
module m
  !$ use omp_lib
  implicit none
contains
  subroutine f(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    !$ integer(omp_lock_kind) :: lock
    real(8) :: bin(4)
    integer :: i, k
    !$ call omp_init_lock(lock)
    bin = 1
    y = x
    !$omp parallel do private(k)
    do i = 1, n
      k = 1 + mod(i*i, 4)
      !$ call omp_set_lock(lock)
      bin(k) = bin(k)*(1 + 0.1d0*sin(x(i)*i)/n)
      !$ call omp_unset_lock(lock)
    end do
    !$ call omp_destroy_lock(lock)
    y(1) = sum(bin**2)
  end subroutine f
end module m
