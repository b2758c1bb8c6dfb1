! head: m::f(y)/(x)
! size: n=32
! acc: host
! enter data and exit data in procedures of their own; module array.
module m
  implicit none
  real(8), allocatable :: w(:)
contains
  subroutine start(n)
    integer, intent(in) :: n
    allocate(w(n))
    !$acc enter data create(w)
  end subroutine start
  subroutine finish()
    !$acc exit data delete(w)
    deallocate(w)
  end subroutine finish
  subroutine work(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i
    !$acc parallel loop present(w, x, y)
    do i = 1, n
      w(i) = w(i)*x(i) + y(i)**2
    end do
    !$acc parallel loop present(w, x, y)
    do i = 1, n
      y(i) = w(i)*cos(x(i))
    end do
  end subroutine work
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, k
    call start(n)
    !$acc data copyin(x) copyout(y)
    !$acc parallel loop present(w)
    do i = 1, n
      w(i) = x(n + 1 - i)
      y(i) = 0.5d0*x(i)
    end do
    do k = 1, 3
      call work(n, x, y)
    end do
    !$acc end data
    call finish()
  end subroutine f
end module m
