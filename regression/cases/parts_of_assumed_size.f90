! Parts of an array of unknown size that a call changes: as many elements are saved as its dummy has.
! head: m::chain(y)/(x)
! size: n=5
module m
  implicit none
contains
  subroutine part(n, a, b, r)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n), r
    real(8), intent(in) :: b(n)
    integer :: i
    do i = 1, n
      a(i) = sin(a(i)*b(i))
      r = sin(r + a(i))
    end do
  end subroutine part
  subroutine top(n, w, r)
    integer, intent(in) :: n
    real(8), intent(inout) :: w(*), r
    integer :: i1, i2
    i1 = n + 1
    i2 = i1 + n
    call part(n, w(i1), w(i2), r)
    w(i2) = sin(w(i2)*r)
    call part(n, w(i1), w(i2), r)
  end subroutine top
  subroutine chain(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: w(3*n)
    w = 0.2d0
    w(n+1:2*n) = x
    y = x(1)
    call top(n, w, y)
    w(n+2) = sin(y*w(1))
    call top(n, w, y)
    y = y + sum(w)
  end subroutine chain
end module m
