! head: m::f(y)/(x)
! head: m::h(y)/(x)
! head: m::k(y)/(x)
! layout: extend
! Variables that blocks save, one with the name of the module, and one with that of an intrinsic.
module m
  implicit none
contains
  subroutine g(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = 0
    block
      real(8), save :: w = 0.1d0
      integer, save :: calls = 0
      calls = calls + 1
      w = 0.5d0*w + x*calls
      y = w**2
    end block
  end subroutine g
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8) :: r1, r2
    call g(x, r1)
    call g(r1, r2)
    y = r1*r2
  end subroutine f
  subroutine h(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    integer, save :: m = 0
    m = m + 1
    y = m*x**2
  end subroutine h
  subroutine k(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    integer, save :: count = 0
    count = count + 1
    y = x**2*count + positive([x, -x])
  end subroutine k
  pure real(8) function positive(v)
    real(8), intent(in) :: v(:)
    positive = count(v > 0)*v(1)
  end function
end module m
