! head: m::f(y)/(x)
! size: n=40
! acc: host
! A compute construct whose if clause is false runs on the host, with what the host has.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: w(n)
    !$acc parallel loop copyin(x) copyout(w) if(n > 5)
    do i = 1, n
      w(i) = x(i)**2 + sin(x(i))
    end do
    !$acc parallel loop copyin(x) copy(w) if(n > 1000)
    do i = 1, n
      w(i) = w(i)*w(i) + x(i)
    end do
    !$acc parallel loop copyin(w) copyout(y)
    do i = 1, n
      y(i) = exp(-w(i))*w(i)
    end do
  end subroutine f
end module m
