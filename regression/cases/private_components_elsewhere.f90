! head: m::f(y)/(x)
! layout: extend
! Objects of another module that keep their components to themselves.
module lib
  implicit none
  private
  public :: part, acc
  type :: part
    private
    real(8) :: c = 1
    real(8), allocatable :: w(:)
  contains
    procedure, public :: set
    procedure, public :: val
  end type
  type :: acc
    type(part), private :: p1, p2
    integer :: n = 0
    real(8), pointer, private :: q => null()
    real(8), public :: z = 3
  contains
    private
    procedure, public :: add
    procedure, public :: get
  end type
contains
  subroutine set(self, u)
    class(part), intent(inout) :: self
    real(8), intent(in) :: u(:)
    self%w = u
    self%c = u(1)
  end subroutine
  real(8) function val(self)
    class(part), intent(in) :: self
    val = self%c*sum(self%w)
  end function
  subroutine add(self, u)
    class(acc), intent(inout) :: self
    real(8), intent(in) :: u(:)
    self%n = self%n + 1
    if (mod(self%n,2) == 0) then
 call self%p1%set(u**self%n)
 else
  call self%p2%set(u**self%n)
 end if
  end subroutine
  real(8) function get(self)
    class(acc), intent(inout) :: self
    get = self%p1%val()*self%p2%val()*self%z
    self%z = get
  end function
end module
module m
  use lib
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(acc) :: o
    type(part) :: p
    call p%set(x)
    call o%add(x)
    call o%add(x(1:2))
    y = o%get()*p%val()
    call o%add(x*y)
    call p%set([y, y*x(2)])
    y = o%get()*p%val()
  end subroutine
end module
