! Procedures without source of which interface blocks tell, and one with source before which a directive stands.
! head: m::run(y)/(x)
! size: n=4
module hand
  use, intrinsic :: iso_c_binding, only: c_int, c_double
  implicit none
contains
  subroutine smooth(n, u, v) bind(c, name='smooth_')
    integer(c_int), intent(in) :: n
    real(c_double), intent(in) :: u(n)
    real(c_double), intent(out) :: v(n)
    integer :: i
    v = [(2*u(i) + u(max(i-1, 1)) + u(min(i+1, n)), i=1, n)]
  end subroutine smooth

  subroutine turn(n, w, u) bind(c, name='turn_')
    integer(c_int), intent(in) :: n
    real(c_double), intent(in) :: w
    real(c_double), intent(inout) :: u(n)
    u = w*cshift(u, 1)
  end subroutine turn

  subroutine turn_back(n, w, u) bind(c, name='turn_back_')
    integer(c_int), intent(in) :: n
    real(c_double), intent(in) :: w
    real(c_double), intent(inout) :: u(n)
    u = w*cshift(u, -1)
  end subroutine turn_back

  subroutine note(step, v) bind(c, name='note_of_step')
    integer(c_int), value :: step
    real(c_double), value :: v
    if (v > huge(v)) print *, step, v
  end subroutine note
end module hand

module m
  implicit none
  interface
    subroutine turn(n, w, u)
      integer, intent(in) :: n
      real(8), intent(in) :: w
      real(8), intent(inout) :: u(n)
      !$ad external linear(u) &
      !$ad   transpose(turn_back)
    end subroutine turn

    ! What it is given by value is no obstacle: no derivative of it is called.
    subroutine note(step, v) bind(c, name='note_of_step')
      use, intrinsic :: iso_c_binding, only: c_int, c_double
      integer(c_int), value :: step
      real(c_double), value :: v
      !$ad external inactive
    end subroutine note
  end interface
contains
  subroutine run(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    interface
      !$ad external linear(u, v) self-adjoint
      subroutine smooth(n, u, v)
        integer, intent(in) :: n
        real(8), intent(in) :: u(n)
        real(8), intent(out) :: v(n)
      end subroutine smooth
    end interface
    real(8) :: t(n)
    t = x**2
    call smooth(n, t, y)
    y = y*x
    call note(1, y(1))
    call turn(n, 0.5d0, y)
    call halve(n, y, t)
    y = y*t
    call shared(n, x, t)
    y = y + t
  end subroutine run

  !$ad external linear(u, v) self-adjoint
  subroutine halve(n, u, v)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: v(n)
    v = u/2
  end subroutine halve

  ! Here without an interface block of its own: what the other one tells holds of the procedure.
  subroutine shared(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    external :: smooth
    call smooth(n, x, y)
    y = y**2
  end subroutine shared
end module m
