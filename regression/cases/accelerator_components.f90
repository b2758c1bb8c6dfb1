! head: m::f(y)/(x)
! size: n=20
! acc: host
! Components of a derived type in data clauses.
module m
  implicit none
  type state
    real(8), allocatable :: u(:), v(:)
    real(8) :: dt
  end type state
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(state) :: s
    real(8) :: dt
    integer :: i, k
    allocate(s%u(n), s%v(n))
    s%dt = 0.1d0
    s%u = x
    dt = s%dt
    !$acc enter data copyin(s)
    !$acc enter data copyin(s%u) create(s%v)
    do k = 1, 3
      !$acc parallel loop present(s%u, s%v)
      do i = 1, n
        s%v(i) = s%u(i)*s%u(max(i - 1, 1))
      end do
      !$acc parallel loop present(s%u, s%v)
      do i = 1, n
        s%u(i) = s%u(i) + dt*s%v(i)
      end do
    end do
    !$acc update host(s%u)
    y = s%u*x
    !$acc exit data delete(s%u, s%v)
    !$acc exit data delete(s)
    deallocate(s%u, s%v)
  end subroutine f
end module m
