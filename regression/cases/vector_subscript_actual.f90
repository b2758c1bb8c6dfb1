module m
  implicit none
contains
  subroutine g(n,a,s)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8), intent(inout) :: s
    integer :: i
    do i=1,n
      s = s + sin(a(i))*i
    end do
  end subroutine g
  subroutine f(n,x,y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: idx(n), i
    real(8) :: a(n), s
    do i=1,n
      idx(i) = mod(3*i,n) + 1
    end do
    a = x**2
    s = x(1)
    call g(n,a(idx),s)
    y = s*x
  end subroutine f
end module m
