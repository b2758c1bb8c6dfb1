! Saved local variables whose names, alone or behind the procedure's, are those that derivatives go by.
! head: m::f(y,s)/(x,s)
! layout: extend
module m
  implicit none
  type :: diag
    real(8) :: acc(2) = 0
    integer :: n = 0
  end type diag
contains
  subroutine add(d, v, which)
    type(diag), intent(inout) :: d
    real(8), intent(in) :: v
    integer, intent(in) :: which
    if (which < 1 .or. which > 2) return
    d%acc(which) = d%acc(which) + v
    d%n = d%n + 1
  end subroutine add

  subroutine g(x, add_b, b)
    real(8), intent(in) :: x
    real(8), intent(out) :: add_b
    real(8), intent(inout) :: b
    real(8), save :: f_d
    f_d = x**2
    add_b = f_d*b
    b = add_b + f_d
  end subroutine g

  subroutine f(x, y, s)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    real(8), intent(inout) :: s(2)
    type(diag), save :: d
    real(8), save :: b
    integer :: i
    d = diag()
    b = x(1)
    do i = 0, 3
      y(i+1) = x(i+1)**2*s(1+mod(i, 2))
      call add(d, y(i+1), i)
      call g(x(i+1), y(i+1), b)
    end do
    s = s*d%acc/d%n + b
  end subroutine f
end module m
