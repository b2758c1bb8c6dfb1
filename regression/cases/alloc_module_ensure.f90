module m
  implicit none
  integer, parameter :: dp = kind(1d0)
  real(dp), allocatable :: work(:)
contains
  subroutine ensure(n)
    integer, intent(in) :: n
    if (allocated(work)) then
      if (size(work) /= n) deallocate(work)
    end if
    if (.not. allocated(work)) allocate(work(n))
  end subroutine

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(dp), intent(in) :: x(n)
    real(dp), intent(out) :: y(n)
    call ensure(n)
    work = x**2
    call ensure(n)
    work(2:) = work(2:)*x(:n-1)
    y = work

  end subroutine f
end module m
