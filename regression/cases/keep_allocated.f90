! Outputs that the head allocates: a plain one, one that is grown, one whose size depends on a branch, a component, a
! scalar, and one of a type with allocatable components.
module m
  implicit none
  type part
    real(8), allocatable :: v(:)
    real(8) :: s = 0.0d0
  end type part
contains
  subroutine f(n, x, y, g, b, p, s, q)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), allocatable, intent(out) :: y(:), b(:, :), s
    real(8), allocatable, intent(inout) :: g(:)
    type(part), intent(out) :: p
    type(part), allocatable, intent(out) :: q(:)
    integer :: i
    allocate(y(0:n-1))
    y = x**2
    g = [g, x(1)*g(1)]
    if (x(1) > 2.0d0) then
      allocate(b(2, n))
    else
      allocate(b(n, 3))
    end if
    b = 0.5d0*x(2)
    b(1, 2) = sin(x(3))*b(2, 1)
    p%v = [x(1)*x(2), x(3)]
    p%s = x(4)**2
    allocate(s)
    s = sum(x**3)
    allocate(q(2))
    do i = 1, 2
      q(i)%s = x(i)*y(i)
      allocate(q(i)%v(i))
      q(i)%v = cos(x(i))*y(1)
    end do
  end subroutine f
end module m
