! head: m::f(y)/(x)
! head: outside(y)/(x)
! Common blocks in called procedures, with steering integers, branches, loops and names of their own.
module m
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(3)
    real(8) :: a(3), s
    integer :: k, i
    common /state/ a, s, k
    k = 1
    s = 0.5d0
    do i = 1, 3
      a(i) = x(i)*s
      call grow(x(4))
      a(k) = a(k) + s*x(i)
    end do
    call pick(y(1))
    y(2) = a(2)*s
    y(3) = sum(a*a)
  end subroutine f
  subroutine grow(c)
    real(8), intent(in) :: c
    real(8) :: v(3), factor
    integer :: which
    common /state/ v, factor, which
    factor = factor*c + v(which)**2
    which = mod(which, 3) + 1
    if (factor > 1.2d0) v(which) = v(which)*factor
  end subroutine grow
  subroutine pick(r)
    real(8), intent(out) :: r
    real(8) :: w(3), q
    integer :: at
    common /state/ w, q, at
    r = w(at)*q
    w(at) = sin(w(at))
  end subroutine pick
end module m
subroutine fill(n)
  implicit none
  integer :: n, i
  real(8) :: table(5), total
  common table, total
  total = 0
  do i = 1, n
    total = total + table(i)*i
    table(i) = total*table(i)
  end do
end subroutine fill
subroutine outside(x, y)
  implicit none
  real(8), intent(in) :: x(5)
  real(8), intent(out) :: y
  real(8) :: t(5), sumt
  common t, sumt
  t = x
  call fill(3)
  call fill(5)
  y = sumt*t(2)
end subroutine outside
