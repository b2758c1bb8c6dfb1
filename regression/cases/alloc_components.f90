module m
  implicit none
  type t
    real(8) :: s
    real(8) :: v(3)
  end type
  type tt
    type(t) :: in
    real(8), allocatable :: d(:)
    integer, allocatable :: k
  end type
contains
  subroutine f(n,x,y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(tt) :: o, o2, e
    integer :: i
    o%in%s = x(1)
    o%in%v = x(2)
    o%d = x(1:3)
    y = x
    do i = 1, n
      o2 = o
      o%d = [o2%d, x(i)*o2%in%s]
      o%in%s = sin(o2%in%v(1)*o%d(1))
      y(i) = y(i)*sum(o2%d)*o%in%s
      if (i == 4) o2 = e
      if (.not. allocated(o2%d)) o%d = x(2:4)
    end do
  end subroutine f
end module m
