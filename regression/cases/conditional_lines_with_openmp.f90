! head: m::f(y, s)/(x)
! size: n=9
! threads: 2
! The same compiled with OpenMP: what stands on conditional lines counts.
module m
  !$ use omp_lib
  implicit none
  !$ integer :: calls = 0
contains
  subroutine g(a, b)
    real(8), intent(in) :: a
    real(8), intent(inout) :: b
    b = b + a**2
    !$ if (a > 0.6d0) return
    b = b*cos(a)
    !$ b = b*a
  end subroutine g
  subroutine f(n, x, y, s)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n), s
    integer :: i, k
    !$ integer(omp_lock_kind) :: lock
    !$ real(8) :: w(n)
    !$ y = 2; s = 1; calls = calls + 1
    !$ call omp_init_lock(lock)
    s = 0
    k = 1
    !$ k = min(n, omp_get_max_threads() + 1) ! what is used passively
    do i = 1, n
      y(i) = x(i)*sin(x(i))
      !$ y(i) = y(i)**2 + &
      !$   exp(x(i)) & ! continued
      !$ & *x(1)
      if (i > 4) then
        !$ call g(x(i), y(i))
      end if
    end do
    !$ w = x
    !$ do i = 2, n
    !$   w(i) = w(i)*w(i-1)
    !$   if (w(i) > 0.5d0) then
    !$     s = s + w(i)
    !$   else
    !$     s = s - w(i)**2
    !$   end if
    !$ end do
    !$ where (y > 1)
    !$   y = sqrt(y)
    !$ end where
    do i = 1, n
      call g(x(i), s)
      !$ if (i > 6) exit
      y(i) = y(i)*s
    end do
    !$ call omp_destroy_lock(lock)
    if (k < 0) y = 0
  end subroutine f
end module m
