! head: m::f(y)/(x)
! size: n=5
! jumps to labels forward, back, out of loops and between them; labels of formats and of input and output
module m
contains
  subroutine retry(n, x, y)
    implicit real(8) (a-h,o-z)
    integer n
    dimension x(n), y(n)
    intent(in) x
    intent(out) y
    it = 0
    r = 1
    do 5 i=1,n
5   y(i) = x(i)
10  it = it + 1
    s = 0
    do 20 i = 1, n
      if (x(i) .lt. -100) go to 99
      if (it .gt. 2 .and. i .eq. 2) go to 20
      y(i) = y(i)*r + x(i)**2/it
      if (y(i) .gt. 50) goto 40
      s = s + y(i)
20  continue
    r = r*0.5d0*s/(1+s)
    if (it .eq. 2) goto 30
    y(2) = y(2)*sin(s)
30  if (it .lt. 4) goto 10
    goto 50
40  y(1) = y(1)*2
    y(3) = r
    goto 60
50  y(1) = y(1)*s
60  continue
    y(2) = y(2)*r
    return
99  y(1) = -1
  end subroutine retry

  subroutine step(u, n, k, r)
    integer, intent(in) :: n, k
    real(8), intent(inout) :: u(n)
    real(8), intent(out) :: r
    integer :: i, j
    r = 0
    i = 0
100 i = i + 1
    if (i > n) goto 900
    goto (200, 300, 400) mod(i+k, 4)
    r = r + u(i)
    goto 100
200 r = r + u(i)**2
    if (mod(k,2)) 210, 220, 210
210 r = r*u(1)
220 goto 100
300 do j = 1, n
      if (j == 3) goto 310
      r = r + u(j)*0.1d0
      do while (r > 5)
        r = r*0.9d0
        if (r > 4.5d0) goto 320
        if (k == 77) goto 900
      end do
310 end do
320 u(i) = u(i) + r*0.01d0
    goto 100
400 continue
    if (u(i) > 100) then
      goto 900
    else if (u(i) > 50) then
      goto 410
    end if
    u(i) = u(i)*1.1d0
410 continue
    goto 100
900 continue
  end subroutine step

  ! A test that stands behind what it decides.
  subroutine halve(a, limit)
    real(8), intent(inout) :: a
    real(8), intent(in) :: limit
    goto 20
10  a = a*0.5d0*cos(a)
20  if (a > limit) goto 10
    if (a - limit) 30, 40, 40
30  a = a + 0.1d0*a**2
40  end subroutine halve

  integer function pick(s, ios) result(n)
    character(*), intent(in) :: s
    integer, intent(out) :: ios
    character(8) :: t
    n = 0
    ios = 0
    if (len(s) > 0) read(s, '(i3)', iostat=ios, err=10, end=20) n
    if (n > 5) goto 30
    read(s, fmt=900, err=10, end=20) n
    write(t, 901, err=10) n
    if (t(4:) /= ' it''s') stop 'format'
    n = n + 1
900 format(i3)
901 format(i3, ' it''s')
    return
10  n = 1
    return
20  n = 2; return
30  n = 3
  end function pick

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: ios, k
    character(3) :: digits
    real(8) :: r
    call retry(n, x, y)
    do k = 1, 4
      call step(y, n, k, r)
      y(k) = y(k)*r
      call halve(y(k), 0.4d0)
    end do
    y = y + x**pick('  2', ios) + x**pick('abc', ios)*x(2)**pick('', ios)
    y(2) = y(2)*x(2)**pick('  9', ios)
    digits = '1x2'
    do 80 k = 1, 3
      read(digits(k:k), 77, err=80, end=70) ios
      y(k) = y(k)*x(1)**ios
80  continue
70  if (y(1) > 1d9) write(*, 78) y
    return
77  format(i1)
78  format(1x, i5, -2p, 2(/), "it's", 5hhello, f8.2)
  end subroutine f
end module m
