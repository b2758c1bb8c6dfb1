! head: head(y)/(x)
! with: external_assumed_shape_callee.f90
! the generated call needs an explicit interface
subroutine head(x, y)
  implicit none
  interface
    subroutine foo(x, y)
      double precision :: x(:), y(:)
    end subroutine
  end interface
  double precision :: x(4), y(4)
  call foo(x(1:4:2), y(1:4:2))
  call foo(x(2:4:2), y(2:4:2))
end subroutine
