! head: again(y)/(x)
! head: extended(y)/(x)
! head: perhaps(y)/(x)
! size: n=6
! acc: host
! Local arrays on a device that get other memory in a branch, or perhaps have some where the procedure ends: their copies there go with
! them.
module memory_at_end
  implicit none
contains
  subroutine again(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), allocatable :: b(:)
    integer :: i
    allocate (b(n))
    !$acc parallel loop
    do i = 1, n
      b(i) = x(i)*x(i)
    end do
    if (n > 3) then
      deallocate (b)
      allocate (b(n))
      !$acc parallel loop
      do i = 1, n
        b(i) = x(i)*3
      end do
    end if
    y = b*x
  end subroutine again

  elemental real(8) function larger(u, v)
    real(8), intent(in) :: u, v
    larger = u*v + 0.5d0*u
  end function larger

  subroutine extended(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), allocatable :: b(:)
    integer :: i
    allocate (b(n))
    !$acc parallel loop
    do i = 1, n
      b(i) = x(i)*x(i)
    end do
    b = larger(b, x)
    !$acc parallel loop
    do i = 1, n
      y(i) = b(i)*x(i)
    end do
  end subroutine extended

  subroutine perhaps(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), allocatable :: t(:)
    integer :: i, k
    y = x
    do k = 1, 2
      if (allocated(t)) deallocate (t)
      allocate (t(n + k))
      !$omp target teams distribute parallel do
      do i = 1, n
        t(i + k) = y(i)*x(i)
      end do
      if (k == 2) exit
      !$omp target teams distribute parallel do
      do i = 1, n
        y(i) = sin(t(i + k))
      end do
    end do
    if (n < 100) then
      !$omp target teams distribute parallel do
      do i = 1, n
        y(i) = y(i) + t(i + 2)
      end do
    end if
  end subroutine perhaps
end module memory_at_end
