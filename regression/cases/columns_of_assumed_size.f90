! Columns and tails of arrays of unknown size that calls change, and such an array as a whole: what the dummy takes is saved.
! head: m::f(y)/(x)
! size: n=4
module m
  implicit none
contains
  subroutine column(n, a)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n)
    a = a*a(1)
    a(1) = sin(a(1)*a(2))
  end subroutine column
  subroutine products(n, a)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(*)
    integer :: i
    do i = 2, n
      a(i) = a(i)*a(i-1)
    end do
  end subroutine products
  subroutine squares(a)
    real(8), intent(inout) :: a(*)
    integer :: i
    i = 1
    do while (a(i) > 0.0d0)
      a(i) = a(i)*a(i)
      i = i + 1
    end do
  end subroutine squares
  subroutine columns(n, k, w)
    integer, intent(in) :: n, k
    real(8), intent(inout) :: w(0:n-1,*)
    integer :: j, again
    do again = 1, 2
      do j = 1, k
        call column(n, w(0,j))
        w(1,j) = sin(w(1,j))*w(0,j)
      end do
    end do
  end subroutine columns
  subroutine tails(n, w)
    integer, intent(in) :: n
    real(8), intent(inout) :: w(0:*)
    call products(n, w)
    w(2) = w(1)*w(2)
    call squares(w(n))
    w(n) = w(n)*w(n+1)
  end subroutine tails
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: w(n,2), v(2*n+1)
    w(:,1) = x
    w(:,2) = cos(x)
    call columns(n, 2, w)
    v(1:n) = w(:,1)
    v(n+1:2*n) = 0.5d0 + w(:,2)**2
    v(2*n+1) = -1.0d0
    call tails(n, v)
    y = sum(v)
  end subroutine f
end module m
