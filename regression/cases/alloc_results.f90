module m
  implicit none
  type st
    real(8), allocatable :: a(:), b(:,:)
    real(8) :: s
  end type
contains
  function sq(x) result(r)
    real(8), intent(in) :: x(:)
    real(8), allocatable :: r(:)
    r = x**2
  end function
  function tw(n, x) result(r)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8) :: r(n)
    r = 2d0*x*x(1)
  end function
  subroutine make(p, n, x)
    type(st), intent(inout) :: p
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    if (allocated(p%a)) deallocate(p%a)
    if (allocated(p%b)) deallocate(p%b)
    allocate(p%a(n), p%b(n,2))
    p%a = x
    p%b(:,1) = x**2
    p%b(:,2) = sin(x)
    p%s = x(1)
  end subroutine
  subroutine f(n,x,y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), allocatable :: w(:)
    type(st) :: p
    real(8) :: s
    integer :: i
    s = 1d0
    y = x
    do i = 1, n
      w = sq(x(1:i))
      s = s*0.5d0 + sum(w)*y(i)
      y(i) = s
      w = tw(i, x(1:i))
      y(i) = y(i)*w(i)
      s = s + sum(sq(w))
      call make(p, i, x*s)
      y(i) = y(i) + sum(p%b)*sum(p%a)*p%s
      s = sin(s)
    end do
    y(1) = y(1)*w(n)
    y = y + sq(tw(n,x))*sum(p%b)
  end subroutine f
end module m
