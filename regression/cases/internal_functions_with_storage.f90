! head: m::f(y)/(x,y)
! head: m::g(y)/(x)
! Internal functions that an adjoint calls again: what their declarations say of storage comes along, `equivalence`, `namelist`
! and `data`.
module m
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(inout) :: y(4)
    y = w(x)
    y(1) = y(1)*y(2)
  contains
    function w(v)
      real(8), intent(in) :: v(4)
      real(8) :: w(4), z(4), w2
      equivalence (w2, z(2))
      z = v*y
      w2 = w2*z(1)
      w = z**2
    end function w
  end subroutine f

  subroutine g(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    integer :: i
    y = 0.2d0
    do i = 1, 3
      y = scaled(x(i)*y) + x(i)
    end do
  contains
    real(8) function scaled(v)
      real(8), intent(in) :: v
      real(8) :: factor, both(2), first
      integer :: at(2), second
      character(24) :: text
      namelist /scales/ factor
      equivalence (both(1), first), (at(2), second)
      data at /2, 1/
      text = ' &scales factor=0.5 /'
      read (text, scales)
      both(at(1)) = v*factor
      first = sin(both(2))
      scaled = both(second)*v
    end function scaled
  end subroutine g
end module m
