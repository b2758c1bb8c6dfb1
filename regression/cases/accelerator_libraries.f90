! head: libraries::scaled(y)/(x)
! head: libraries::solved(y)/(x)
! head: libraries::added(y)/(x)
! size: n=5
! acc: host
! link: -llapack -lblas
! Procedures of libraries work on the host between loops for a device: what they use is brought there before, and what they change goes
! back.
module libraries
  implicit none
contains
  subroutine scaled(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    !$acc parallel loop
    do i = 1, n
      y(i) = x(i)*x(i)
    end do
    call dscal(n, 3d0, y, 1)
    !$acc parallel loop
    do i = 1, n
      y(i) = sin(y(i))
    end do
  end subroutine scaled

  subroutine solved(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n, n), b(n)
    integer :: pivots(n), info, i, j
    !$acc parallel loop collapse(2)
    do j = 1, n
      do i = 1, n
        a(i, j) = 0.1d0*x(i)*x(j)
        if (i == j) a(i, j) = a(i, j) + 2
      end do
    end do
    !$acc parallel loop
    do i = 1, n
      b(i) = x(i)**2
    end do
    call dgesv(n, 1, a, n, pivots, b, n, info)
    !$acc parallel loop
    do i = 1, n
      y(i) = b(i)*x(i)
    end do
  end subroutine solved

  subroutine added(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: t(n)
    real(8), external :: ddot
    integer :: i
    !$omp target teams distribute parallel do
    do i = 1, n
      t(i) = x(i)*x(i)
      y(i) = cos(x(i))
    end do
    call daxpy(n, ddot(n, x, 1, t, 1), t, 1, y, 1)
    !$omp target teams distribute parallel do
    do i = 1, n
      y(i) = y(i)*t(i)
    end do
  end subroutine added
end module libraries
