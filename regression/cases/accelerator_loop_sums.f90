! Sums of loops inside a construct of OpenACC that names them in no clause: they are the construct's, and the program's behind it.
! head: m::f(y)/(x)
! head: m::g(y)/(x)
! size: n=7
! acc: host
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    integer :: i
    y = 0
    !$acc parallel copyin(x)
    !$acc loop gang vector reduction(+:y)
    do i = 1, n
      y = y + x(i)**2
    end do
    !$acc end parallel
  end subroutine
  subroutine g(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: most, own
    integer :: i, j
    most = 0
    y = 0
    !$acc parallel copyin(x)
    !$acc loop gang reduction(+:y)
    do j = 1, n
      own = 0
      !$acc loop vector reduction(+:own)
      do i = 1, n
        own = own + x(i)*x(j)
      end do
      y = y + own*j
    end do
    !$acc loop gang vector reduction(max:most)
    do i = 1, n
      most = max(most, sin(x(i)))
    end do
    !$acc end parallel
    y = y*most
  end subroutine
end module
