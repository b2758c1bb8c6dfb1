! head: m::f(y)/(x)
! objects of an extended type with memory that calls change in a loop of unknown length
module m
  implicit none
  type body
    real(8) :: speed = 1
    real(8), allocatable :: path(:)
  end type body
  type, extends(body) :: planet
    real(8) :: mass(2) = 0.5d0
  contains
    procedure :: kick
  end type planet
contains
  subroutine kick(this, u)
    class(planet), intent(inout) :: this
    real(8), intent(in) :: u
    this%speed = this%speed*u
    this%path = [this%path*0.9d0, u]
    this%mass = this%mass*this%speed
    if (size(this%path) > 3) this%path = this%path(2:3)
  end subroutine kick

  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    type(planet) :: o(2)
    integer :: k
    real(8) :: time
    o(1)%path = [x(1)]
    o(2)%path = x
    time = 1
    k = 1
    do while (time < 4)
      call o(k)%kick(x(k))
      o(3 - k)%speed = sin(o(k)%speed) + sum(o(k)%path)
      k = 3 - k
      time = time*1.3d0
    end do
    y = sum(o(1)%path)*o(2)%speed + sum(o(1)%mass)
  end subroutine f
end module m
