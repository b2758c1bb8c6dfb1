! head: m::f(y)/(x)
! size: n=8
! acc: host
! A procedure that loops on a device call uses a module's variable, whose derivative the host has.
module m
  implicit none
  real(8) :: coefficient(64)
  !$acc declare create(coefficient)
contains
  real(8) function state(r, i)
    !$acc routine seq
    real(8), intent(in) :: r
    integer, intent(in) :: i
    state = inner(i)*r**2
  end function state

  real(8) function inner(i)
    !$acc routine seq
    integer, intent(in) :: i
    inner = coefficient(i)*coefficient(1)
  end function inner

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    coefficient(1:n) = x
    !$acc update device(coefficient)
    !$acc parallel loop copyin(x) copyout(y)
    do i = 1, n
      y(i) = state(x(i), i)
    end do
  end subroutine f
end module m
