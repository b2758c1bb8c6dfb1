module m
  implicit none
  type cell
    real(8) :: s
    real(8) :: v(3)
  end type cell
contains
  subroutine f(n,x,y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(cell) :: q(n)
    integer :: i
    do i=1,n
      q(i)%s = x(i)**2
      q(i)%v = [x(i), 2d0*x(i), 0.3d0]
    end do
    do i=2,n
      q(i)%v(2) = q(i)%v(1)*q(i-1)%v(2) + q(i)%s
    end do
    y = q%s
    do i=1,n
      y(i) = y(i) + sum(q(i)%v)*q(i)%v(3)
    end do
  end subroutine f
end module m
