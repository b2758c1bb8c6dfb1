! head: m::f(a)/(a)
! threads: 4
! A procedure assigns both elements that it is given: no other iteration touches them.
module m
  implicit none
contains
  subroutine f(a)
    real(8), intent(inout) :: a(26)
    integer :: i, n
    n = 26
    !$omp parallel do schedule(static)
    do i = 1, n/2
      call bfly(a(i), a(n+1-i))
    end do
    !$omp parallel do
    do i = 1, n-1, 2
      call bfly(a(i), a(i+1))
    end do
  end subroutine
  subroutine bfly(x, y)
    real(8), intent(inout) :: x, y
    real(8) :: t
    t = x*y
    x = x + t
    y = y - 0.5d0*t**2
  end subroutine
end module
