! head: k::f(y)/(x)
! Kinds from the lists of iso_fortran_env.
module k
  use iso_fortran_env, only: logical_kinds, integer_kinds, real_kinds
  integer, parameter :: lk = logical_kinds(min(3, size(logical_kinds)))
  integer, parameter :: rk = real_kinds(2)
contains
  subroutine f(x, y)
    real(rk), intent(in) :: x
    real(rk), intent(out) :: y
    logical(lk) :: ok
    ok = x > 0
    if (ok) then
      y = x**2
    else
      y = x
    end if
  end subroutine
end module
