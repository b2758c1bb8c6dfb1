! head: m::f(y)/(x)
! size: n=20 nt=3
! acc: host
! The head only moves data; all loops are in callees, with present clauses and updates.
module m
  implicit none
contains
  subroutine init(n, x, u)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: u(n)
    integer :: i
    !$acc parallel loop present(x, u)
    do i = 1, n
      u(i) = x(i)*x(n + 1 - i)
    end do
  end subroutine init
  subroutine stepper(n, u)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    integer :: i
    !$acc parallel loop present(u)
    do i = 1, n
      u(i) = u(i) + 0.1d0*sin(u(i))
    end do
    !$acc update self(u(1:2))
    u(1) = u(2)*u(1)
    !$acc update device(u(1:1))
  end subroutine stepper
  subroutine f(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), allocatable :: u(:)
    integer :: t
    allocate(u(n))
    !$acc enter data copyin(x) create(u)
    call init(n, x, u)
    do t = 1, nt
      call stepper(n, u)
    end do
    !$acc exit data copyout(u) delete(x)
    y = u**2
    deallocate(u)
  end subroutine f
end module m
