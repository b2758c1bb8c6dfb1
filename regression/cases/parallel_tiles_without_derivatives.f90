! A region without derivatives that assigns parts of objects, which adjoints need and later steps overwrite.
! head: m::f(y)/(x)
! size: n=4
! threads: 2
module m
  implicit none
  type :: tile_type
    real(8), allocatable :: w(:)
    integer :: calls = 0
  end type
  type(tile_type) :: tiles(3)
contains
  subroutine fill(n, w, step, t)
    integer, intent(in) :: n, step, t
    real(8), intent(inout) :: w(n)
    integer :: i
    do i = 1, n
      w(i) = 0.5d0*w(i) + 0.1d0*step*t + 0.01d0*i
    end do
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: t, step
    do t = 1, 3
      allocate(tiles(t)%w(n))
      tiles(t)%w = 1
    end do
    y = x
    do step = 1, 3
      !$omp parallel
      !$omp do
      do t = 1, 3
        call fill(n, tiles(t)%w, step, t)
      end do
      !$omp end do nowait
      !$omp end parallel
      do t = 1, 3
        y = y*tiles(t)%w + sin(y)
      end do
    end do
    do t = 1, 3
      deallocate(tiles(t)%w)
    end do
  end subroutine
end module
