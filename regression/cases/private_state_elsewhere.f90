! head: m::f(y)/(x)
! size: nt=4
! layout: extend
! A module keeps its state to itself (numbers, an allocatable array, a variable of a private type), and a time loop in
! another module changes it: the extended module has procedures that save and restore it.
module st
  implicit none
  private
  integer, parameter :: wp = 8, n = 4
  type :: hid
    real(wp) :: a(n) = 1
    integer :: k = 0
  end type
  real(wp) :: acc(n) = 1, s = 2
  real(wp), allocatable :: w(:)
  integer :: calls = 0
  type(hid) :: h
  public :: ini, step
contains
  subroutine ini(m)
    integer, intent(in) :: m
    if (allocated(w)) deallocate(w)
    allocate(w(m))
    w = 1
    acc = 1; s = 2; calls = 0
    h = hid()
  end subroutine
  subroutine step(x)
    real(wp), intent(inout) :: x(:)
    integer :: i
    calls = calls + 1
    do i = 1, size(x)
      x(i) = x(i)*acc(mod(i,n)+1)*s*0.3d0 + 0.01d0*w(1)*calls*h%a(2)
    end do
    acc(2) = acc(2)*cos(x(1))
    s = s + 0.1d0*x(2)**2
    w(1) = w(1)*sin(x(2))
    h%a(2) = h%a(2)*sin(x(1))
  end subroutine
end module
module m
  use st
  implicit none
contains
  subroutine f(x, y, nt)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    integer, intent(in) :: nt
    integer :: t
    real(8) :: z(3)
    call ini(3)
    z = x
    do t = 1, nt
      call step(z)
      z = z*z(2)*0.1d0
      call step(z)
    end do
    y = sum(z**2)
  end subroutine
end module
