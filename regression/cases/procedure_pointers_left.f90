! head: m::cost(j)/(x)
! head: m::by_component(j)/(x)
! Procedure pointers of a module, which the head changes and leaves to later calls as it has found them.
module m
  implicit none
  abstract interface
    real(8) function f_i(x)
      real(8), intent(in) :: x
    end function
  end interface
  procedure(f_i), pointer, save :: law => null(), extra => null()
  integer :: count = 0
  type settings
    integer :: n = 3
    procedure(f_i), pointer, nopass :: law => null()
  end type
  type(settings), save :: c
contains
  real(8) function lin(x)
    real(8), intent(in) :: x
    lin = 2*x
  end function
  real(8) function sqr(x)
    real(8), intent(in) :: x
    sqr = x**2
  end function
  subroutine init()
    law => lin
  end subroutine
  subroutine choose(k)
    integer, intent(in) :: k
    if (mod(k, 2) == 0) then
      law => sqr
    else
      law => lin
    end if
  end subroutine
  subroutine cost(x, j)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: j
    integer :: k
    if (.not. associated(law)) call init()
    j = law(x(1))
    do k = 1, 4
      call choose(k)
      j = j*0.5d0 + law(x(2))*law(x(3))*sin(j)
    end do
    if (associated(extra)) j = j + extra(x(3))*j
    extra => sqr
    law => lin
    nullify(extra)
  end subroutine
  subroutine by_component(x, j)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: j
    if (.not. associated(c%law)) c%law => lin
    j = c%law(x(1))
    c%law => sqr
    j = j + c%law(x(2))*c%law(x(3))
    c%law => lin
  end subroutine
end module
