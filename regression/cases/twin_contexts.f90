! Two calls that differ in what comes in varied and is useful afterwards: the adjoint of sq reads the same.
module m
  implicit none
contains
  subroutine sq(n, x, r)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: r(n)
    integer :: i

    do i = 2, n
      r(i) = x(i)**2
    end do
    r(1) = 1.0d0
  end subroutine sq

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: t(n), s(n)

    call sq(n, x, t)
    s = sin(t)
    call sq(n, s, t)
    y = t + s
  end subroutine f
end module m
