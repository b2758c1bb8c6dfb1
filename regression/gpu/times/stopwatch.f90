! Wall-clock times, and a row of the table of times.
module stopwatch
  use iso_c_binding, only: c_double
  implicit none
  private
  public :: begin, row, runs, took

  ! Of so many runs the fastest counts.
  integer, parameter :: runs = 5
  integer(8) :: from, rate

contains

  subroutine begin()
    call system_clock(from, rate)
  end subroutine begin

  ! Milliseconds since then, or what is given, if that is less.
  real(c_double) function took(least)
    real(c_double), intent(in) :: least
    integer(8) :: to

    call system_clock(to)
    took = min(least, 1e3_c_double*(to - from)/rate)
  end function took

  ! Points in all, steps, and milliseconds.
  subroutine row(name, points, steps, primal, gradient)
    character(len=*), intent(in) :: name
    integer, intent(in) :: points, steps
    real(c_double), intent(in) :: primal, gradient

    print '(a,i12,i6,2f12.2,f8.2)', name, points, steps, primal, gradient, gradient/primal
  end subroutine row

end module stopwatch
