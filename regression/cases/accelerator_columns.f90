! head: m::columns(t)/(t)
! head: m::points(p)/(p)
! head: m::arrays(b)/(a)
! size: n=5 m=6
! acc: host
! Columns of whole arrays in procedures that a device calls; points of a grid, every other one, by lanes of a vector; array
! statements in `kernels`.
module m
  implicit none
contains
  subroutine columns(n, m, t)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: t(n, m)
    integer :: i
    !$acc parallel loop gang vector copy(t)
    do i = 1, n
      call mix(i, n, m, t)
    end do
  end subroutine
  subroutine mix(i, n, m, t)
    !$acc routine seq
    integer, intent(in) :: i, n, m
    real(8), intent(inout) :: t(n, m)
    integer :: k
    do k = 2, m
      t(i, k) = 0.7d0*t(i, k) + 0.3d0*t(i, k-1)**2
    end do
  end subroutine
  subroutine points(n, m, p)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: p(n, m)
    integer :: i, j, colour
    do colour = 0, 1
      !$acc parallel loop gang
      do j = 2, m-1
        !$acc loop vector
        do i = 2, n-1
          if (mod(i + j, 2) == colour) p(i, j) = 0.25d0*(p(i-1, j) + p(i+1, j) + p(i, j-1) + p(i, j+1))*p(i, j)
        end do
      end do
    end do
  end subroutine
  subroutine arrays(n, m, a, b)
    integer, intent(in) :: n, m
    real(8), intent(in) :: a(n, m)
    real(8), intent(out) :: b(n, m)
    integer :: i
    !$acc kernels
    b(:, :) = a(:, :)**2
    b(2:n, :) = b(2:n, :)*a(1:n-1, :)
    do i = 1, n
      b(i, m) = b(i, m) + a(i, 1)
    end do
    where (b > 0.5d0) b = sin(b)
    !$acc end kernels
  end subroutine
end module
