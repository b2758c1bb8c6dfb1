! head: m::f(y)/(x)
! size: n=20
! acc: host
! Clauses by their old names, continued directives, capital letters.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: w(n)
    !$ACC DATA PCOPYIN(x) &
    !$ACC& PRESENT_OR_CREATE(w) PCOPYOUT(y)
    !$ACC PARALLEL LOOP PRESENT_OR_COPYIN(x) &
    !$acc GANG VECTOR
    do i = 1, n
      w(i) = x(i)**3
    end do
    !$ACC END PARALLEL LOOP
    !$acc kernels loop gang(4) vector(32)
    do i = 1, n
      y(i) = w(i)*x(n + 1 - i)
    end do
    !$acc end kernels loop
    !$ACC END DATA
  end subroutine f
end module m
