! Bounds of a function's result that are those of a dummy: they are not the bounds of what is passed for it.
! head: m::f(y)/(x)
! head: m::parts(y)/(x)
! head: m::named(y)/(x)
! size: n=6
module m
  implicit none
contains
  ! A lower bound of its own.
  function from_zero(a) result(r)
    real(8), intent(in) :: a(0:)
    real(8) :: r(0:ubound(a, 1))
    integer :: k
    do k = 0, ubound(a, 1)
      r(k) = sin(a(k))*(k + 1)
    end do
  end function from_zero

  ! Both bounds by name.
  function alike(a) result(r)
    real(8), intent(in) :: a(-2:)
    real(8) :: r(lbound(a, 1):ubound(a, 1))
    r = a*a(-2)
  end function alike

  ! From one, whatever is passed.
  function from_one(a) result(r)
    real(8), intent(in) :: a(:)
    real(8) :: r(ubound(a, 1))
    r = cos(a)
  end function from_one

  ! A size of its own: only the beginning of what is passed.
  function beginning(k, a) result(r)
    integer, intent(in) :: k
    real(8), intent(in) :: a(k)
    real(8) :: r(size(a))
    r = a**2
  end function beginning

  ! The same in two dimensions.
  function block_of(k, l, a) result(r)
    integer, intent(in) :: k, l
    real(8), intent(in) :: a(0:k-1, 2:l+1)
    real(8) :: r(size(a), 0:ubound(a, 2))
    integer :: i
    do i = 0, ubound(a, 2)
      r(:, i) = reshape(a, [k*l])*i
    end do
  end function block_of

  ! By an element of a dummy.
  function counted(len, a) result(r)
    integer, intent(in) :: len(0:)
    real(8), intent(in) :: a(:)
    real(8) :: r(ubound(len, 1) + 1)
    r = a(:size(len))*len
  end function counted

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: h(0:n+1)
    real(8), allocatable :: w(:)
    h = 0.3d0
    h(1:n) = x
    y = x*sum(from_zero(x)) + from_zero(x)
    y = y + sum(alike(h))*x
    h = alike(h)
    y = y + h(1:n) + sum(from_one(h))
    w = from_zero(h)
    y = y*w(2) + sum(w)
    w = from_one(h(0:n-1))
    y = y + w
  end subroutine f

  subroutine parts(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    y = x
    y(1:2) = y(1:2) + beginning(2, x)
    y(1) = y(1) + sum(beginning(n - 2, x(2))) + product(beginning(3, x))
    y(2) = y(2) + sum(block_of(2, 2, x)) + sum(matmul(block_of(2, 2, x(3)), x(1:4)))
  end subroutine parts

  subroutine named(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: len(3)
    len = [2, 3, 4]
    y = x*sum(counted(len, x))
    y(1:2) = y(1:2)*counted(len(2:), x)
  end subroutine named
end module m
