! LAPACK's symmetric eigenvalue problem: values alone, with vectors, and of equal values those that are used.
! head: m::spectrum(y)/(x)
! head: m::modes(y)/(x)
! head: m::steps(y)/(x)
! head: m::equal(y)/(x)
! size: n=5
! link: -llapack -lblas
module m
  implicit none
contains
  subroutine fill(n, x, a)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: a(n+1, n)
    integer :: i, j
    do j = 1, n
      do i = 1, n + 1
        a(i,j) = 0.3d0*cos(x(j) + i)
      end do
      a(j,j) = j + x(j)**2
    end do
  end subroutine fill

  subroutine spectrum(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n+1, n), w(n), work(8*n)
    integer :: info
    call fill(n, x, a)
    call dsyev('N', 'L', n, a, n + 1, y, work, 8*n, info)
    ! The other triangle is what it was.
    y(1) = y(1) + a(2,4)
    call fill(n, x, a)
    call dsyev('N', 'U', n, a, n + 1, w, work, 8*n, info)
    y = y*sqrt(w)
  end subroutine spectrum

  subroutine modes(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n+1, n), w(n), query(1)
    real(8), allocatable :: work(:)
    integer :: iwork(5*n + 3), info
    call fill(n, x, a)
    call dsyev('V', 'U', n, a, n + 1, w, query, -1, info)
    allocate(work(int(query(1)) + 1 + 6*n + 2*n*n))
    call dsyev('V', 'U', n, a, n + 1, w, work, size(work), info)
    y = a(2,:)*w + a(:n,3)*a(1,3)
    call fill(n, x, a)
    call dsyevd('V', 'L', n, a, n + 1, w, work, size(work), iwork, size(iwork), info)
    y = y + a(n,:)**2*w
  end subroutine modes

  ! The exponential of a matrix that follows the state.
  subroutine steps(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n+1, n), w(n), work(8*n)
    integer :: info, k
    y = x
    do k = 1, 3
      call fill(n, y, a)
      call dsyev('V', 'L', n, a, n + 1, w, work, 8*n, info)
      if (info /= 0) exit
      y = matmul(a(:n,:), exp(-0.1d0*w)*matmul(y, a(:n,:)))
    end do
  end subroutine steps

  ! The vectors of equal values aren't used.
  subroutine equal(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n, n), w(n), work(8*n)
    integer :: info, i
    a = 0d0
    do i = 1, n
      a(i,i) = 2d0
    end do
    a(1,1) = x(1)
    a(2,1) = 0.5d0*x(2)
    a(2,2) = 6d0 + x(2)
    call dsyev('V', 'L', n, a, n, w, work, 8*n, info)
    y = w(n)*a(:,n)**2*x
  end subroutine equal
end module m
