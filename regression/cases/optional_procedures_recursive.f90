! head: m::f(y)/(x)
! an optional dummy procedure that is or isn't given to a recursive procedure with loops
module m
  abstract interface
    pure real(8) function fn(x)
      real(8), intent(in) :: x
    end function
  end interface
contains
  pure real(8) function cube(x)
    real(8), intent(in) :: x
    cube = x**3
  end function
  recursive subroutine step(n, y, w, bc)
    integer, intent(in) :: n
    real(8), intent(inout) :: y(3)
    real(8), intent(in), optional :: w
    procedure(fn), optional :: bc
    integer :: i
    do i = 1, 3
      y(i) = y(i)*y(1)
      if (present(bc)) y(i) = y(i) + bc(y(i))
      if (present(w)) y(i) = y(i)*w
    end do
    if (n > 0) call step(n-1, y, w, bc)
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(3)
    y = x
    call step(1, y)
    call step(1, y, x(2))
    call step(0, y, bc=cube)
    call step(1, y, x(1), cube)
  end subroutine
end module
