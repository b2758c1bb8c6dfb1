module m
  implicit none
contains
  subroutine f(n,x,y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), allocatable :: w(:)
    real(8) :: s
    integer :: i,j
    s = 1d0
    y = x
    do i=1,n
      allocate(w(i))
      do j=1,i
        w(j) = x(j)**2*y(i)*s
      end do
      s = s + sin(s)*sum(w)
      if (s > 0.5d0) then
       s = s + w(1)**2
      end if
      deallocate(w)
      y(i) = s*y(max(i-1,1))
    end do
  end subroutine f
end module m
