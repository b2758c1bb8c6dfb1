! head: weights::f(y)/(x)
! head: counts::f(y)/(x)
! numbers without derivative that calls change in modules, and that are again what they were after all calls
module weights
  implicit none
  real(8) :: w(2) = [1, 2]
contains
  function line(t) result(r)
    real(8), intent(in) :: t
    real(8) :: r
    w = cshift(w, 1)
    r = w(1) + t*w(2)
  end function line

  subroutine f(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    y = line(x(1))
    y = y*line(x(2))
  end subroutine f
end module weights

module counts
  implicit none
  type options
    integer :: now = 1, order(2) = [2, 3]
    real(8) :: scale = 2
  end type options
  type(options) :: o
  integer, allocatable :: turns(:)
contains
  subroutine turn(a)
    real(8), intent(inout) :: a
    if (.not. allocated(turns)) turns = [1, 2]
    turns = turns(2:1:-1)
    o%now = 3 - o%now
    o%order = cshift(o%order, 1)
    a = a*o%order(o%now)*turns(1) + a**2/o%scale
  end subroutine turn

  subroutine f(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    real(8) :: t
    t = x(1)
    call turn(t)
    t = t*x(2)
    call turn(t)
    y = sin(t)
  end subroutine f
end module counts
