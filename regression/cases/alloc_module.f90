module m
  implicit none
  real(8), allocatable :: g(:), h(:)
contains
  subroutine setup(n, x)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    if (.not. allocated(g)) allocate(g(n))
    if (allocated(h)) then
      if (size(h) < n) deallocate(h)
    end if
    if (.not. allocated(h)) allocate(h(n))
    g = x**2
    h(1:n) = g*x(1)
  end subroutine
  subroutine f(n,x,y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    do i = 1, n
      call setup(i, x)
      y(i) = h(i)*g(1)
    end do
    y(1) = y(1)*sum(g)
  end subroutine f
end module m
