! head: m::f(y)/(x)
! size: n=8
! acc: host
! Called procedures leave work on queues, for which their callers wait.
module m
  implicit none
contains
  subroutine scale(n, a, b)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8), intent(inout) :: b(n)
    integer :: i
    !$acc parallel loop copyin(a) copy(b) async(1)
    do i = 1, n
      b(i) = b(i)*a(i)
    end do
  end subroutine scale

  ! Nothing in it depends on the inputs.
  subroutine weights(n, w)
    integer, intent(in) :: n
    real(8), intent(inout) :: w(n)
    integer :: i
    !$acc parallel loop copy(w) async(2)
    do i = 1, n
      w(i) = 0.1d0*i
    end do
    !$acc update host(w) async(2)
  end subroutine weights

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: b(n), w(n)
    integer :: i
    b = x
    w = 0
    !$acc data copyin(x) copy(b, w) copyout(y)
    call scale(n, x, b)
    call weights(n, w)
    !$acc wait(1, 2)
    !$acc parallel loop
    do i = 1, n
      y(i) = w(i)*b(i)**2
    end do
    !$acc end data
  end subroutine f
end module m
