! Objects with bound procedures that time loops change under a schedule: scalars, extensions, components and arrays of
! them. Such objects can't go to the run-time library as they are.
! head: m::f(y)/(x)
! head: m::g(y)/(x)
! head: m::h(y)/(x)
module m
  implicit none
  type :: base
    real(8) :: a
  contains
    procedure :: rhs => rhs_base
    procedure :: step
  end type
  type, extends(base) :: ext
    real(8) :: k
    integer :: calls = 0
  contains
    procedure :: rhs => rhs_ext
  end type
  type :: cell
    type(base) :: inner
    real(8) :: u
  contains
    procedure :: mix
  end type
  type :: grid
    real(8) :: dt
    type(cell) :: c(3)
    type(ext) :: source
  end type
contains
  subroutine rhs_base(this, u, du)
    class(base), intent(in) :: this
    real(8), intent(in) :: u
    real(8), intent(out) :: du
    du = -this%a*u
  end subroutine
  subroutine rhs_ext(this, u, du)
    class(ext), intent(in) :: this
    real(8), intent(in) :: u
    real(8), intent(out) :: du
    call this%base%rhs(u, du)
    du = du + this%k*u*u
  end subroutine
  subroutine step(this, u, dt)
    class(base), intent(inout) :: this
    real(8), intent(inout) :: u
    real(8), intent(in) :: dt
    real(8) :: du
    call this%rhs(u, du)
    u = u + dt*du
    this%a = this%a*1.01d0
  end subroutine
  subroutine mix(this, other)
    class(cell), intent(inout) :: this
    class(cell), intent(in) :: other
    this%u = 0.9d0*this%u + 0.1d0*other%u*this%inner%a
    this%inner%a = sin(this%inner%a)
  end subroutine
  subroutine run(o, u, n)
    class(base), intent(inout) :: o
    real(8), intent(inout) :: u
    integer, intent(in) :: n
    integer :: i
!$ad checkpoint schedule(revolve) snapshots(3)
    do i = 1, n
      call o%step(u, 0.05d0)
    end do
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(ext) :: e
    type(base) :: b
    real(8) :: u
    e%a = x(1); e%k = x(2); b%a = x(2)
    u = x(3)
    call run(e, u, 9)
    call run(b, u, 4)
    call run(e%base, u, 4)
    y = u*e%a
  end subroutine
  subroutine g(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(cell) :: c(3)
    integer :: i, j
    c%u = x
    c%inner%a = 0.5d0 + x**2
!$ad checkpoint schedule(revolve) snapshots(2)
    do i = 1, 7
      do j = 1, 2
        call c(j)%mix(c(j + 1))
      end do
      c%inner%a = c%inner%a*c%u
    end do
    y = sum(c%u*c%inner%a)
  end subroutine
  subroutine h(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(grid) :: w
    integer :: i
    w%dt = 0.1d0
    w%source%a = x(1)
    w%source%k = x(2)
    w%c%u = x
    w%c%inner%a = 1d0 + x
!$ad checkpoint schedule(revolve) snapshots(2)
    do i = 1, 6
      call w%source%step(w%c(2)%u, w%dt)
      w%source%calls = w%source%calls + 1
      call w%c(1)%mix(w%c(2))
      call w%c(3)%mix(w%c(1))
      w%source%k = w%source%k*w%c(3)%u + w%source%calls
    end do
    y = w%source%k + sum(w%c%u)
  end subroutine
end module
