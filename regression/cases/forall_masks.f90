module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    logical :: l(n)
    integer :: i, j
    real(8) :: a(n,n)
    y = x
    l = x > 0.5d0
    a = 0.0d0
    forall (i = 1:n, l(i)) y(i) = x(i)**2
    forall (i = 1:n, .not. l(i))
      y(i) = x(i)**3
    end forall
    forall (i = 1:n, (l(i))) y(i) = y(i)*x(i)
    forall (i = 1:n, j = 1:n, i /= j .and. l(j)) a(i, j) = x(i)*y(j)
    name: forall (i = 1:n)
      a(i, i) = x(i)
    end forall name
    y = y + sum(a, 1)
  end subroutine f
end module m
