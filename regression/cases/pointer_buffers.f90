! head: m::f(y)/(x)
! size: n=6 nt=7
! two arrays that swap their places from step to step
module m
  implicit none
contains
  subroutine f(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: a(n), b(n)
    real(8), pointer :: old(:), new(:), tmp(:)
    integer :: i, it
    a = x
    b = 0
    old => a
    new => b
    do it = 1, nt
      do i = 2, n - 1
        new(i) = old(i) + 0.1d0*old(i)*(old(i+1) - old(i-1))
      end do
      new(1) = old(n)*0.5d0
      new(n) = old(1)*sin(old(2))
      tmp => old
      old => new
      new => tmp
    end do
    y = old*x
  end subroutine f
end module m
