module m
  implicit none
  integer, parameter :: dp = kind(1d0)
  real(dp), allocatable :: work(:), other(:)
contains
  subroutine setup(n)
    integer, intent(in) :: n
    if (allocated(work)) deallocate(work, other)
    allocate(work(n), other(n))
  end subroutine
  subroutine finish
    deallocate(work)
    deallocate(other)
  end subroutine
  subroutine use_it(n)
    integer, intent(in) :: n
    real(dp), allocatable :: tmp(:)
    real(dp), parameter :: x0 = 2.0_dp
    integer :: k
    tmp = work
    work = sin(tmp)
    deallocate(tmp)
    do k = 1, 2
      work(k) = work(k)*x0
    end do
  end subroutine

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(dp), intent(in) :: x(n)
    real(dp), intent(out) :: y(n)
    integer :: i
    call setup(n)
    do i = 1, size(work)
      work(i) = x(i)**2
      other(i) = i
    end do
    call use_it(n)
    y = work + other*x
    call setup(n/2)
    do i = 1, size(work)
      work(i) = x(i)*y(i)
    end do
    y(1:n/2) = y(1:n/2) + work
    call finish

  end subroutine f
end module m
