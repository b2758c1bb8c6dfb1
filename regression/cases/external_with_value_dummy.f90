! head: head(y)/(x)
! with: external_with_value_dummy_callee.f90
! the generated call needs an explicit interface
subroutine head(x, y)
  implicit none
  interface
    subroutine foo(a, x, y)
      double precision, value :: a
      double precision, intent(in) :: x
      double precision, intent(out) :: y
    end subroutine
  end interface
  double precision :: x(4), y(4)
  integer :: i
  do i = 1, 4
    call foo(3d0, x(i), y(i))
  end do
end subroutine
