! head: f(y)/(x)
! head: g(y)/(x)
! size: n=9
! threads: 4
! Flags that iterations set: to one value, whoever is the first.
subroutine f(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  integer :: i, error
  logical :: hot
  error = 0
  hot = .false.
  !$omp parallel do shared(error)
  do i = 1, n
    if (x(i) <= 0) then
      !$omp atomic write
      error = 1
      cycle
    end if
    if (x(i) > 0.8d0) then
      !$omp atomic write
      hot = .true.
    end if
    y(i) = log(x(i))
  end do
  if (error /= 0) then
    y = 0
    return
  end if
  !$omp parallel do
  do i = 1, n
    if (hot) y(i) = y(i)*x(i)
  end do
end subroutine
subroutine g(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  integer :: i, k, error
  y = x
  do k = 1, 3
    error = 0
    !$omp parallel do
    do i = 1, n
      y(i) = y(i)*x(i) + 0.2d0*k
      !$omp critical
      if (y(i) > 0.9d0) error = -1
      !$omp end critical
    end do
    if (error == -1) y = 0.7d0*y
  end do
end subroutine
