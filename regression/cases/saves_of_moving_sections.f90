! Sections that move with the steps of a time loop, in blocks of steps that use the same memory: what is saved of them begins
! at another index in each block.
! head: saves_of_moving_sections::pairs(x)/(x)
! head: saves_of_moving_sections::windows(x)/(x)
! head: saves_of_moving_sections::downwards(x)/(x)
! head: saves_of_moving_sections::rows(y)/(y)
module saves_of_moving_sections
  implicit none
  integer, parameter :: n = 26
contains
  elemental subroutine damp(a, b)
    real(8), intent(inout) :: a
    real(8), intent(in) :: b
    a = a*exp(-a*b)
  end subroutine damp

  subroutine pairs(x)
    real(8), intent(inout) :: x(n)
    integer :: i
    do i = 1, n, 2
      call damp(x(i:i+1), (x(i+1:i:-1)))
    end do
  end subroutine pairs

  subroutine windows(x)
    real(8), intent(inout) :: x(n)
    integer :: i
    do i = 1, n - 4
      call damp(x(i:i+3), (x(i+4:i+1:-1)))
      x(i+1) = x(i+1)*x(i)
    end do
  end subroutine windows

  subroutine downwards(x)
    real(8), intent(inout) :: x(n)
    integer :: i, k
    do i = n - 2, 3, -1
      do k = i - 2, i + 2
        x(k) = x(k)*exp(-0.1d0*x(max(k - 1, 1)))
        x(k) = sin(x(k))*x(i)
      end do
    end do
  end subroutine downwards

  subroutine rows(y)
    real(8), intent(inout) :: y(n, 4)
    integer :: i
    do i = 2, n
      call damp(y(i-1:i, 2:3), (y(i:i-1:-1, 3:2:-1)))
      y(i, :) = y(i, :)*cos(y(i-1, :))
    end do
  end subroutine rows
end module saves_of_moving_sections
