! An element is computed again, while the others are overwritten by a call and needed as they were before the loop.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: b(n), s
    real(8), allocatable :: w(:)
    integer :: i
    s = x(n)*x(1)
    b = 0.8d0
    allocate(w(n))
    w = x - 0.6d0
    do i = n - 1, 2, -1
      b(i+1) = sign(w(i), s)
    end do
    do i = 1, n
      w(i) = exp(-abs(x(i)))
      w(i) = x(i)
      call fill(x, w(1:n), y(i))
    end do
    y = y + b*w
  end subroutine f

  subroutine fill(d, w, e)
    real(8), intent(in) :: d(:)
    real(8), intent(out) :: w(:), e
    w = 0.4d0*d
    e = 0.7d0*d(1)
  end subroutine fill
end module m
