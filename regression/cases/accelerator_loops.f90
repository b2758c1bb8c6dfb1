! head: m::f(y)/(x)
! size: n=24
! acc: host
! Loops for a device.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, j
    real(8) :: s, a(n, n), t
    s = 0
    !$acc parallel loop gang vector copyin(x) copyout(y)
    do i = 1, n
      y(i) = x(i)**2
    end do
    !$acc parallel loop reduction(+: s) vector_length(32)
    do i = 1, n
      s = s + y(i)*x(i)
    end do
    !$acc parallel loop gang private(t) copyout(a)
    do j = 1, n
      t = x(j)*s
      !$acc loop vector
      do i = 1, n
        a(i, j) = t*x(i)
      end do
    end do
    !$acc parallel loop collapse(2)
    do j = 2, n - 1
      do i = 2, n - 1
        a(i, j) = a(i, j)*a(i, j)
      end do
    end do
    !$acc parallel
    !$acc loop gang private(t)
    do j = 2, n - 1
      t = 0
      !$acc loop seq
      do i = 1, n
        t = t + a(i, j)
      end do
      y(j) = t*x(j - 1)*x(j + 1)
    end do
    !$acc end parallel
    !$acc serial
    y(1) = y(1)*y(2)
    !$acc end serial
    !$acc parallel loop async(1)
    do i = 1, n
      !$acc atomic update
      y(mod(i, 3) + 1) = y(mod(i, 3) + 1) + x(i)**2
    end do
    !$acc wait(1)
  end subroutine f
end module m
