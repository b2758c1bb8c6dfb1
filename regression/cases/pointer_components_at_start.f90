! Pointer components of module variables that have no target when the head starts; allocatable ones beside them.
! head: m::associated_in_callee(y)/(x)
! head: m::bound(y)/(x)
! head: m::in_a_part(y)/(x)
module m
  implicit none
  type :: fields
    real(8), pointer :: u(:) => null(), v(:) => null(), w(:) => null()
    real(8), allocatable :: kept(:), scalar
  end type fields
  type :: context
    real(8), pointer :: a => null()
    real(8), pointer :: b(:) => null()
  end type context
  type :: node
    type(context) :: inner
    real(8) :: own(2) = 1.0d0
    real(8), allocatable :: more(:)
  end type node
  type(fields) :: st
  type(context), target, save :: c
  type(node), save :: place
  real(8), target, save :: pool(3)
contains
  subroutine setup(n)
    integer, intent(in) :: n
    st%u => pool(1:n)
    st%v => pool(2:n)
    st%w => st%u
  end subroutine setup

  subroutine associated_in_callee(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(3)
    integer :: i
    y = x
    if (allocated(st%kept)) deallocate(st%kept)
    allocate(st%kept(3))
    do i = 1, 2
      call setup(3)
      st%u = y
      st%kept = y*y
      st%w(1) = st%v(1)*st%w(3)
      if (i == 2) st%w => st%v
      st%w = st%w + st%kept(2)
      y = st%u*st%kept
      nullify(st%u, st%v, st%w)
    end do
    deallocate(st%kept)
  end subroutine associated_in_callee

  subroutine bind(flag)
    logical, intent(in) :: flag
    if (flag) then
      c%a => pool(1)
      c%b => pool(2:3)
    else
      nullify(c%a, c%b)
    end if
  end subroutine bind

  subroutine bound(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(3)
    call bind(.true.)
    pool = x
    c%a = c%a*c%b(2)
    c%b = c%b**2 + c%a
    y = pool
    call bind(.false.)
  end subroutine bound

  subroutine in_a_part(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(3)
    integer :: i
    pool = x*x
    if (.not. allocated(place%more)) allocate(place%more(2))
    place%more = x(2:3)
    do i = 1, 2
      place%inner%a => pool(i)
      place%inner%b => pool(i:i+1)
      place%own = x(i)*x(3)
      place%inner%b(2) = place%inner%a*place%own(i) + place%more(i)
    end do
    y = pool
    nullify(place%inner%a, place%inner%b)
  end subroutine in_a_part
end module m
