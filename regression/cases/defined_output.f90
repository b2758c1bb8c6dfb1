! What the procedures of defined output change isn't followed.
! head: m::f(y)/(x)
! refused: C0401 at 33
module m
  implicit none
  type t
    real(8) :: v = 0
  contains
    procedure :: put
    generic :: write(formatted) => put
  end type
  type holder
    type(t) :: held
  end type
  real(8) :: sum_of_squares = 0
contains
  subroutine put(dtv, unit, iotype, vlist, iostat, iomsg)
    class(t), intent(in) :: dtv
    integer, intent(in) :: unit, vlist(:)
    character(*), intent(in) :: iotype
    integer, intent(out) :: iostat
    character(*), intent(inout) :: iomsg
    write (unit, '(f8.3)', iostat=iostat, iomsg=iomsg) dtv%v
    sum_of_squares = sum_of_squares + dtv%v**2
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    type(holder) :: o
    character(40) :: s
    sum_of_squares = 0
    o%held%v = x(1)
    write (s, *) o
    y = sum_of_squares*x(2)
  end subroutine
end module
