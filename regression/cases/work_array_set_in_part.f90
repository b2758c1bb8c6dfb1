! head: m::f(y)/(x)
! size: n=6
! Of work arrays in a module half is set, in memory that others have used before: the rest isn't compared.
module m
  implicit none
  logical, allocatable :: flags(:)
  integer, allocatable :: places(:)
  real(8), allocatable :: work(:)
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), allocatable :: used(:)
    integer :: i
    allocate(used(4*n))
    used(1:n) = x
    used(n+1:) = x(1)*3
    y = used(1:n)**2
    deallocate(used)
    if (.not. allocated(work)) allocate(flags(n), places(2*n), work(4*n))
    do i = 1, n, 2
      flags(i) = x(i) > 0.5d0
      places(i) = i
      work(i) = x(i)
    end do
    y = y + sum(work(1:n:2))*x
  end subroutine f
end module m
