! head: m::run(x,j)/(x)
! size: n=5 nt=6
! a step under a schedule frees memory of an earlier step, and allocates it anew
module m
  implicit none
contains
  subroutine run(n, nt, x, j)
    integer, intent(in) :: n, nt
    real(8), intent(inout) :: x(n)
    real(8), intent(out) :: j
    real(8), allocatable :: u(:), t(:)
    integer :: it, i
    allocate(u(n))
    u = x
!$ad checkpoint snapshots(3)
    do it = 1, nt
      if (it == 2) then
        t = u
        deallocate(u)
        allocate(u(size(t)+2))
        u(1:size(t)) = t
        u(size(t)+1:) = t(1)
        deallocate(t)
      end if
      do i = 2, size(u)
        u(i) = u(i) - 0.02d0*u(i-1)*u(i)
      end do
    end do
    j = sum(u**2)
  end subroutine
end module
