! head: m::f(j)/(x)
! size: n=16 nt=5
! acc: host
! Module arrays that the head itself puts on the device; callees say present.
module m
  implicit none
  real(8), allocatable :: u(:), un(:)
contains
  subroutine step(dt)
    real(8), intent(in) :: dt
    integer :: i
    !$acc parallel loop present(u, un)
    do i = 2, size(u) - 1
      un(i) = u(i) + dt*(u(i + 1) - 2*u(i) + u(i - 1))*u(i)
    end do
    !$acc parallel loop present(u, un)
    do i = 2, size(u) - 1
      u(i) = un(i)
    end do
  end subroutine step
  subroutine f(n, nt, x, j)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: j
    integer :: t, i
    allocate(u(n), un(n))
    u = x
    un = 0
    !$acc enter data copyin(u, un)
    do t = 1, nt
      call step(0.1d0)
    end do
    j = 0
    !$acc parallel loop reduction(+:j) present(u)
    do i = 1, n
      j = j + u(i)**2
    end do
    !$acc exit data delete(u, un)
    deallocate(u, un)
  end subroutine f
end module m
