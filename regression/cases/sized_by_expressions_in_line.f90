! head: m::f(y)/(x)
! Procedures whose statements stand in place of their calls, with arrays that are as long as an expression in the call says.
module m
  implicit none
contains
  subroutine make(x, n, p)
    integer, intent(in) :: n
    real(8), intent(in) :: x(4)
    real(8), pointer, intent(out) :: p(:)
    real(8) :: w(n), v(0:n/2, 2)
    integer :: i
    allocate (p(n))
    v(0, :) = x(1)
    do i = 1, n
      if (x(i) > 90) return
      w(i) = x(i)**2
      p(i) = w(i)*x(4)*v(0, 2)
    end do
  end subroutine make

  function total(x, n) result(r)
    integer, intent(in) :: n
    real(8), intent(in) :: x(4)
    real(8) :: r
    real(8), pointer :: p(:)
    real(8) :: w(2*n)
    integer :: i
    do i = 1, 2*n
      w(i) = x(1 + mod(i, 4))
    end do
    call make(x, n, p)
    r = sum(p)*w(2*n)
    deallocate (p)
  end function total

  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    real(8), pointer :: p(:)
    integer :: k
    y = 0
    do k = 1, 2
      call make(x, k + 1, p)
      y = y + sum(p)*p(1)
      deallocate (p)
      y = y + total(x, 4 - k)
    end do
  end subroutine f
end module m
