! Saved variables that move to the module stand in lists with others, whose attributes come in statements of their own.
! head: m::f(y)/(x)
! layout: extend
! size: x=2
module m
contains
  subroutine f(x, y)
    real(8) x, y, hist(3), &   ! with a comment
      fac, w /2.0d0/, late
    dimension x(2), late(2)
    save hist, fac
    integer, save :: cnt = 0, calls = 0; integer k
    data hist /3*0.5d0/
    intent(in) :: x
    intent(out) y
    cnt = cnt + 1
    fac = x(1)*hist(2)
    calls = 0
    do k = 1, 2
      calls = calls + 1
      late(k) = x(k)*w
      fac = fac*late(k)
    end do
    hist(2) = 0.5d0
    y = fac*calls + old(x) + pointing(x)
  end subroutine f
  function old(x)
    implicit real(8) (a-h, o-z)
    dimension x(2), t(3)
    save t, acc, n
    data n /0/, acc /0d0/
    n = 0
    acc = 0
    do k = 1, 3
      n = n + 1
      t(n) = x(1)**n
      acc = acc + t(n)
    end do
    old = acc
  end function old
  function pointing(x) result(r)
    real(8), intent(in) :: x(2)
    real(8) w, p, z, r
    target w
    pointer p
    allocatable z
    dimension w(2), p(:), z(:)
    save w, p, z
    w = x
    p => w(2:1:-1)
    if (allocated(z)) deallocate(z)
    allocate(z(2))
    z = p*x
    r = z(1)*z(2) + w(1)
  end function pointing
end module m
