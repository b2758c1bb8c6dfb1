! head: f(y)/(x)
! size: n=24
! threads: 4
! A common block of which each thread has its own.
subroutine f(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  real(8) :: w(3), c
  integer :: i, k
  common /work/ w, c
  !$omp threadprivate(/work/)
  c = x(1)*x(2)
  !$omp parallel do copyin(/work/) private(k)
  do i = 1, n
    do k = 1, 3
      w(k) = x(i)*k*c
    end do
    call use_them(y(i))
  end do
  w = 0
end subroutine f

subroutine use_them(r)
  implicit none
  real(8), intent(out) :: r
  real(8) :: w(3), c
  common /work/ w, c
  !$omp threadprivate(/work/)
  r = w(1)*w(2) + sin(w(3))
end subroutine use_them
