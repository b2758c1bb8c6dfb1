! head: m::f(t,r,w)/(t,q,w)
! size: nz=5 nx=6
! threads: 4
! Procedures get whole arrays, and where an iteration's part of them is.
module m
  implicit none
contains
  subroutine column(j, nz, nx, t, q, r)
    integer, intent(in) :: j, nz, nx
    real(8), intent(inout) :: t(nz, nx), r(nx)
    real(8), intent(in) :: q(nz, nx)
    integer :: k
    do k = 2, nz
      t(k, j) = t(k, j) + 0.1d0*t(k - 1, j)*q(k, j)
      r(j) = r(j) + sin(t(k, j))
    end do
  end subroutine column

  subroutine row(k, t, q)
    integer, intent(in) :: k
    real(8), intent(inout) :: t(0:, 2:)
    real(8), intent(in) :: q(:, :)
    t(k, :) = sin(t(k, :))*t(k, 3) + q(k + 1, 1)
  end subroutine row

  subroutine both(j, n1, n2, t, q, r)
    integer, intent(in) :: j, n1, n2
    real(8), intent(inout) :: t(n1, n2), r(n2)
    real(8), intent(in) :: q(n1, n2)
    call column(j + 1, n1, n2, t, q, r)
    call scaled(n1, t(:, j + 1), q(2, j + 1))
    r(j + 1) = r(j + 1)*peak(j + 1, t)
  end subroutine both

  subroutine scaled(n, a, b)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n)
    real(8), intent(in) :: b
    if (b > 0) a(2:) = a(2:)*b
  end subroutine scaled

  pure real(8) function peak(j, t)
    integer, intent(in) :: j
    real(8), intent(in) :: t(:, :)
    peak = maxval(t(:, j))
  end function peak

  ! More than an iteration's part: the derivative needs an order.
  subroutine beside(j, t, w)
    integer, intent(in) :: j
    real(8), intent(in) :: t(:, :)
    real(8), intent(inout) :: w(:)
    w(j) = w(j)*t(1, max(1, j - 1))*t(2, j)
  end subroutine beside

  subroutine f(nz, nx, t, q, r, w)
    integer, intent(in) :: nz, nx
    real(8), intent(inout) :: t(nz, nx), w(nx)
    real(8), intent(in) :: q(nz, nx)
    real(8), intent(out) :: r(nx)
    integer :: j
    r = 0
    !$omp parallel do
    do j = 1, nx
      call column(j, nz, nx, t, q, r)
      w(j) = w(j)*t(2, j)
    end do
    !$omp parallel do
    do j = nz - 1, 0, -1
      call row(j, t, q)
    end do
    !$omp parallel do
    do j = 0, nx - 1
      call both(j, nz, nx, t, q, r)
    end do
    !$omp parallel do
    do j = 1, nx
      call beside(j, t, w)
    end do
  end subroutine f
end module m
