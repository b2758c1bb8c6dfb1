module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, k, l
    do 20 i = 1, n
      do 10, k = 1, 2
        y(i) = x(i)*k
        if (k == 2) goto 10
        y(i) = y(i)**2
10    continue
20  end do
    ! The last statement belongs to the innermost loop of those that share it.
    do 30 i = 1, n
    do 30 k = 1, 3
    do 30 l = 1, 2
      ! A comment before it.
30  y(i) = y(i)*(1.0d0 + l*x(k))
    do 40 i = 2, n
      y(i) = y(i) + y(i-1)
      do 40 k = 1, 2
        if (x(k) > 0.5d0) goto 40
        y(i) = y(i)*x(k)
40  continue
  end subroutine f
end module m
