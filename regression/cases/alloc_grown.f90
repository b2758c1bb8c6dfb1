module m
  implicit none
contains
  subroutine f(n,x,y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), allocatable :: w(:)
    integer :: i
    w = x
    do i=1,3
      w = [w, sin(w(1:2))*w(2:3)]
    end do
    y = w(1:n)*w(n)*w(size(w))
  end subroutine f
end module m
