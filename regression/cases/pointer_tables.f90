! head: m::f(y)/(x)
! size: n=5
! setup: m::init
! tables that are read through pointers
module m
  implicit none
  real(8), pointer :: tab(:) => null()
  real(8), target :: store(8)
  integer, pointer :: idx(:) => null()
  integer, target :: istore(8)
contains
  subroutine init()
    integer :: i
    do i = 1, 8
      store(i) = 0.3d0*i
      istore(i) = 9 - i
    end do
    tab => store
    idx => istore
  end subroutine init
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    do i = 1, n
      y(i) = tab(idx(i))*x(i)**2 + tab(i)
    end do
  end subroutine f
end module m
