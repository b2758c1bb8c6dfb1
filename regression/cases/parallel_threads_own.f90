! head: m::f(y)/(x)
! size: n=24
! threads: 4
! Variables of modules of which each thread has its own.
module m
  implicit none
  real(8), save :: w(3), c
  !$omp threadprivate(w, c)
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, k
    c = x(1)*x(2)
    !$omp parallel do copyin(c) private(k)
    do i = 1, n
      do k = 1, 3
        w(k) = x(i)*k*c
      end do
      call use_them(y(i))
    end do
    w = 0
  end subroutine f

  subroutine use_them(r)
    real(8), intent(out) :: r
    r = w(1)*w(2) + sin(w(3))
  end subroutine use_them
end module m
