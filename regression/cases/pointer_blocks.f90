! head: m::f(y)/(x)
! size: n=5 nt=6
! pointers into a work array, associated in callees and by function results, inside loops
module m
  implicit none
  type block
    real(8), pointer :: v(:) => null()
    real(8), pointer :: s => null()
  end type block
contains
  subroutine attach(b, w, k, n)
    type(block), intent(inout) :: b
    real(8), intent(in), target :: w(:)
    integer, intent(in) :: k, n
    b%v => w((k-1)*n+1:k*n)
    b%s => w(k)
  end subroutine attach
  subroutine smooth(b)
    type(block), intent(inout) :: b
    integer :: i
    do i = 2, size(b%v)
      b%v(i) = b%v(i)*b%v(i-1) + 0.1d0*sin(b%s)
    end do
  end subroutine smooth
  function row(w, k, n) result(p)
    real(8), intent(in), target :: w(:)
    integer, intent(in) :: k, n
    real(8), pointer :: p(:)
    p => w((k-1)*n+1:k*n)
  end function row
  subroutine f(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: w(3*n)
    type(block) :: b
    real(8), pointer :: r(:)
    integer :: it, k
    do k = 1, 3
      w((k-1)*n+1:k*n) = x*k
    end do
    do it = 1, nt
      do k = 1, 3
        call attach(b, w, k, n)
        call smooth(b)
      end do
      r => row(w, mod(it,3)+1, n)
      r = r*0.9d0 + x*r(1)
    end do
    y = row(w, 1, n) + row(w, 2, n)*row(w, 3, n)
  end subroutine f
end module m
