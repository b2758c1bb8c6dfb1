module m
  implicit none
  integer, parameter :: k = 8
  real(k) :: state = 2d0
contains
  subroutine g(i,a,r)
    integer, intent(in) :: i
    real(8), intent(in) :: a
    real(8), intent(out) :: r
    integer :: j
    real(k) :: prev = 0d0, scale = 1d0, hist(3) = [1d0, 2d0, 3d0] ! history
    real(8), dimension(2) :: two
    integer :: count = 0
    save :: count, two
    if (i == 1) then
      prev = 0d0
      hist = 0d0
      scale = 1d0
      count = 0
      two = 0
    end if
    count = count + 1
    r = a*prev + a*scale + sum(hist)*count + two(2)
    do j = 3, 2, -1
      hist(j) = hist(j-1)
    end do
    hist(1) = r*a
    two(1) = hist(2)
    two(2) = two(1)*a
    Scale = sin(a*scale)
    prev = a*a
  end subroutine g
  subroutine h(i, a, r)
    integer, intent(in) :: i
    real(8), intent(in) :: a
    real(8), intent(inout) :: r
    real(8), save :: prev
    if (i == 1) prev = a
    r = r*prev &
      + PREV**2
    prev = r/(1d0+r*r)
  end subroutine h
  subroutine f(n,x,y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    do i=1,n
      call g(i,x(i),y(i))
      call h(i,x(i),y(i))
    end do
  end subroutine f
end module m
