! head: m::one(y)/(x)
! head: m::shared(y)/(x)
! head: m::nested(y)/(x)
! head: m::conditional(y)/(x)
! head: m::called(y)/(x)
! size: n=5
! jumps to the statement that a labelled loop ends at: it is executed, then the next iteration begins
module m
contains
  subroutine one(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: s
    s = 1
    do 10 i = 1, n
      y(i) = s
      if (x(i) < 0.5d0) goto 10
      s = s*x(i)
      if (s > 0.6d0) goto 10
      y(i) = y(i) + s*s
10  y(i) = y(i)*x(i)
  end subroutine one

  subroutine shared(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: s
    integer :: i, j
    y = 0
    s = 1
    do 10 i = 1, n
    do 10 j = 1, n
      if (j == i) goto 10
      if (x(j) > x(i)) then
        s = s*x(j)
        y(i) = y(i) + s
        goto 10
      end if
      y(i) = y(i) + x(j)*x(i)
      if (s > 20) goto 20
10  s = s + y(i)*0.1d0
20  y(n) = y(n)*s
  end subroutine shared

  subroutine nested(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, j, k
    real(8) :: s
    do 30 i = 1, n
      s = 0
      do 20 j = 1, n
        if (x(i)*x(j) > 0.8d0) goto 30
        do 10 k = 1, 3
          if (x(j)*k > 0.9d0) goto 20
          s = s + x(i)*x(j)
10      continue
        s = s*1.1d0
20    continue
      y(i) = s
30  y(i) = s + x(i)**2
  end subroutine nested

  subroutine conditional(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    y = 0
    do 10 i = 1, n
      if (x(i) < 0.6d0) go to 10
      y(i) = x(i)*x(i)
10  if (x(i) > 0.4d0) y(i) = y(i) + sin(x(i))
  end subroutine conditional

  subroutine square(a)
    real(8), intent(inout) :: a
    a = a*a + 0.5d0
  end subroutine square

  subroutine called(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, j
    y = x
    do 10 i = 1, n
    do 10 j = 1, 2
      if (x(i) < 0.6d0) go to 10
      y(i) = y(i)*x(i)
10  call square(y(i))
  end subroutine called
end module m
