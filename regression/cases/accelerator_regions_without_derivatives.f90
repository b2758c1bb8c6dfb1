! head: m::f(y)/(x)
! size: n=6
! Regions of OpenACC in which derivatives have no part: data that stays on the device, nested loops, two directives before one.
module m
  implicit none
contains
  subroutine f(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, j
    real(8) :: a(n,n), s
    !$acc data create(s) copyout(a)
    !$acc parallel loop collapse(2)
    do j = 1, n
      do i = 1, n
        a(i,j) = 1.0d0/(i + j)
      end do
    end do
    !$acc end data
    s = 0
    !$omp parallel do
    !$acc kernels loop
    do i = 1, n
      a(i,1) = 2*a(i,1)
    end do
    y = 0
    do j = 1, n
      do i = 1, n
        y(i) = y(i) + a(i,j)*x(j)**2
      end do
    end do
  end subroutine f
end module m
