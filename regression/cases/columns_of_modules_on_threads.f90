! head: m::f(y)/(x)
! size: n=6
! threads: 4
! Procedures find an iteration's part of a module's arrays by themselves.
module state
  implicit none
  integer, parameter :: nz = 5
  real(8) :: t(nz, 0:7), wind(8)
  real(8), allocatable :: q(:, :)
end module state

module m
  use state
  implicit none
contains
  subroutine column(j)
    integer, intent(in) :: j
    integer :: k
    do k = 2, nz
      t(k, j) = t(k, j) + 0.1d0*t(k - 1, j)*q(k, j)
      wind(j) = wind(j)*cos(t(k, j))
    end do
    call ends(j, wind)
  end subroutine column

  subroutine ends(j, w)
    integer, intent(in) :: j
    real(8), intent(inout) :: w(:)
    w(j) = w(j) + t(1, j)
    if (w(j) > 0.5d0) q(nz, j) = q(nz, j)*w(j)
  end subroutine ends

  subroutine whole(j)
    integer, intent(in) :: j
    q(:, j) = q(:, j)*sum(t(:, j))
  end subroutine whole

  ! Its derivative adds to what other iterations add to.
  subroutine mixed(j, y)
    integer, intent(in) :: j
    real(8), intent(inout) :: y(:)
    y(j) = t(2, j - 1)*t(3, j + 1) + wind(j)*q(1, 1)
  end subroutine mixed

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: j, step
    if (.not. allocated(q)) allocate (q(nz, n))
    t = 0.3d0
    q = 0.7d0
    wind = 0.9d0
    do j = 1, n
      t(:, j) = x(j)
      wind(j) = x(j)**2
    end do
    do step = 1, 3
      !$omp parallel do
      do j = 1, n
        call column(j)
        t(2, j) = t(2, j)*wind(j)
      end do
      !$omp parallel do
      do j = n, 1, -1
        call whole(j)
      end do
    end do
    !$omp parallel do
    do j = 1, n
      call mixed(j, y)
    end do
  end subroutine f
end module m
