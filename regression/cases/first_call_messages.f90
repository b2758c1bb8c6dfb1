! head: m::f(y)/(x)
! size: n=3
! saved variables that only steer messages: a flag of the first call, counters, a greatest value, under a schedule
module m
  implicit none
contains
  subroutine g(u)
    real(8), intent(inout) :: u(:)
    logical, save :: first = .true.
    integer, save :: ncalls = 0
    integer :: warned = 0
    real(8), save :: largest = 0
    integer :: i
    ncalls = ncalls + 1
    if (first) then
      if (size(u) > 99) write(*, 10) size(u), u(1)
10    format('large ', i5, f8.3)
      first = .false.
    end if
    do i = 1, size(u)
      if (u(i) > 1d6 .and. warned < 3) then
        write(*,*) 'too large', u(i)
        warned = warned + 1
      end if
      largest = max(largest, u(i))
      u(i) = u(i) - 0.01d0*u(i)*u(1)
    end do
    if (mod(ncalls, 1000) == 0) print *, ncalls, largest
  end subroutine g

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: it
    y = x
    !$ad checkpoint schedule(revolve) snapshots(3)
    do it = 1, 13
      call g(y)
    end do
    call g(y(2:))
  end subroutine f
end module m
