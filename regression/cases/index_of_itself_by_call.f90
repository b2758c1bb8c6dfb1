module m
  implicit none
contains
  ! A call overwrites an element whose subscript is an element of the same array, perhaps itself.
  subroutine move(k, i, n)
    integer, intent(inout) :: k
    integer, intent(in) :: i, n
    k = mod(k + i, n) + 1
  end subroutine move
  subroutine f(n,x,y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: idx(n), i
    real(8) :: a(n)
    do i = 1, n
      idx(i) = i
    end do
    a = 0.3d0*x
    do i = 1, n
      a(n+1-i) = a(n+1-i)*x(idx(i)) + sin(x(idx(1)))
      call move(idx(idx(1)), i, n)
    end do
    y = a(idx)*x
  end subroutine f
end module m
