! head: m::f(y)/(x)
! size: n=24
! acc: host
! Data regions, updates and what is said to be present.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: w(n)
    !$acc enter data copyin(x) create(w)
    !$acc parallel loop present(x, w)
    do i = 1, n
      w(i) = x(i)*x(i)
    end do
    !$acc update host(w)
    w(1) = w(1)*2
    !$acc update device(w(1:1))
    !$acc data copyout(y) present(w)
    !$acc parallel loop default(present)
    do i = 1, n
      y(i) = w(i)*x(n + 1 - i)
    end do
    !$acc end data
    !$acc exit data delete(x) copyout(w)
    !$acc data copy(y) if(n > 3)
    !$acc kernels
    do i = 2, n
      y(i) = y(i)*w(i)
    end do
    do i = 2, n
      y(i) = y(i) + 0.5d0*y(i - 1)
    end do
    !$acc end kernels
    !$acc end data
  end subroutine f
end module m
