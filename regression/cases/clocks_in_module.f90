! Times from clocks that a module adds up: they are others in every run, and are not compared.
! head: m::f(y)/(x)
! size: n=8
module m
  implicit none
  real(8) :: spent = 0, ticks_s = 0
  integer :: calls = 0, last_tick = 0
contains
  subroutine add(s, t)
    real(8), intent(inout) :: s
    real(8), intent(in) :: t
    s = s + t
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real :: t0, t1
    integer :: c0, c1, rate
    call cpu_time(t0)
    call system_clock(c0, rate)
    y = sum(x**2)
    call cpu_time(t1)
    call system_clock(c1)
    call add(spent, real(t1 - t0, 8))
    ticks_s = ticks_s + real(c1 - c0, 8)/rate
    last_tick = c1
    calls = calls + 1
  end subroutine
end module
