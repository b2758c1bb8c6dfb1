! head: m::targets(y)/(x)
! head: m::nothing(y)/(x)
! head: m::in_loop(y)/(x)
! head: m::typed(y)/(x)
! A pointer dummy that takes a target, a section of one, an element's component, or `null()`.
module m
  implicit none
  integer, parameter :: wp = 8
  type cell
    real(wp) :: v(3)
  end type cell
contains
  subroutine scale(a, p)
    real(wp), intent(inout) :: a(:)
    real(wp), pointer, intent(in) :: p(:)
    a = a*p(size(p))
    p(1) = p(1) + a(1)
  end subroutine scale

  subroutine maybe(a, p)
    real(wp), intent(inout) :: a(:)
    real(wp), pointer, intent(in) :: p(:)
    if (associated(p)) then
      a = a*p
    else
      a = a**2
    end if
  end subroutine maybe

  subroutine use_cell(a, c)
    real(wp), intent(inout) :: a(:)
    type(cell), pointer, intent(in) :: c
    if (associated(c)) then
      a = a*c%v
      c%v(2) = c%v(2)*a(1)
    end if
    a = sin(a)
  end subroutine use_cell

  subroutine targets(x, y)
    real(wp), intent(in) :: x(3)
    real(wp), intent(out) :: y(3)
    real(wp), target :: t(3)
    t = cos(x)
    y = x
    call scale(y, t)
    call scale(y(2:), t(2:3))
    y = y + t
  end subroutine targets

  subroutine nothing(x, y)
    real(wp), intent(in) :: x(3)
    real(wp), intent(out) :: y(3)
    real(wp), target :: t(3)
    real(wp), pointer :: tp(:)
    t = cos(x)
    tp => t
    y = x
    call maybe(y, null())
    call maybe(y, tp)
    call maybe(y, t)
    call maybe(p=null(), a=y)
  end subroutine nothing

  subroutine in_loop(x, y)
    real(wp), intent(in) :: x(3)
    real(wp), intent(out) :: y(3)
    real(wp), target, allocatable :: t(:, :)
    integer :: i
    allocate(t(3, 2))
    t(:, 1) = cos(x)
    t(:, 2) = x**2
    y = x
    do i = 1, 4
      call scale(y, t(3:1:-1, 1 + mod(i, 2)))
      if (i == 2) call maybe(y, null())
    end do
    y = y + t(:, 1)*t(:, 2)
  end subroutine in_loop

  subroutine typed(x, y)
    real(wp), intent(in) :: x(3)
    real(wp), intent(out) :: y(3)
    type(cell), target :: c(2)
    c(1)%v = x
    c(2)%v = x**2
    y = x
    call use_cell(y, c(2))
    call use_cell(y, null())
    call scale(y, c(1)%v)
    y = y*c(2)%v + c(1)%v
  end subroutine typed
end module m
