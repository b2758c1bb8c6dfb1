! head: m::f(mn,mx,v)/(a,v)
! size: n=4 l=2,3
! acc: host
! The least and the greatest value found in loops for a device with inner loops: what iterations save gets no memory there.
module m
  implicit none
  integer :: k = 3
contains
  subroutine f(n, l, a, mn, mx, v)
    integer, intent(in) :: n, l
    real(8), intent(in) :: a(n, n)
    real(8), intent(out) :: mn, mx
    real(8), intent(inout) :: v(n)
    real(8) :: t
    integer :: i, j, it, last
    mn = 1d3
    !$acc parallel loop reduction(min: mn)
    do j = 1, n
      do i = 1, n
        mn = min(mn, a(i, j)**2)
      end do
    end do
    mx = 0
    last = n - 1
    do it = 1, l
      !$acc parallel loop reduction(max: mx)
      do j = 1, last
        do i = j, n
          mx = max(mx, a(i, j)*v(j))
        end do
      end do
      !$acc parallel loop private(t)
      do j = 1, n
        t = v(j)
        do i = 1, k
          t = t*a(i, j)*t
        end do
        v(j) = t
      end do
    end do
  end subroutine
end module
