! Scalars that needn't exist, allocatable ones and pointers, assigned in loops where a question about them allows it.
! head: m::components(y)/(x)
! head: m::associated_components(y)/(x)
! head: m::whole(y)/(x)
! head: m::made_on_the_way(y)/(x)
! head: m::in_a_callee(y)/(x)
! head: m::elements(y)/(x)
module m
  implicit none
  type :: item
    real(8), allocatable :: v
    real(8), allocatable :: w(:)
  end type item
  type :: cell
    real(8), pointer :: v => null()
  end type cell
contains
  subroutine components(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(item) :: o(3)
    integer :: i
    do i = 1, 3, 2
      allocate(o(i)%v)
      o(i)%v = x(i)**i
    end do
    y = 1
    do i = 1, 3
      if (.not. allocated(o(i)%v)) cycle
      y = y*o(i)%v + x(2)
      o(i)%v = y
    end do
    y = y + o(3)%v**2
  end subroutine components

  subroutine associated_components(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    type(cell) :: c(4)
    real(8), target :: st(2)
    integer :: i
    st = x(1:2)
    c(2)%v => st(1)
    c(4)%v => st(2)
    y = 1
    do i = 1, 4
      if (associated(c(i)%v)) then
        y = y*c(i)%v + x(3)
        c(i)%v = y*x(4)
      end if
    end do
    y = y + sum(st**2)
  end subroutine associated_components

  subroutine whole(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    real(8), allocatable :: v
    real(8), pointer :: p, q
    real(8), target :: t
    integer :: i
    nullify(p)
    q => t
    t = x(1)
    y = x(2)
    do i = 1, 4
      if (allocated(v)) then
        y = y + v*x(i)
        v = y*y
      end if
      if (associated(p)) then
        y = y*p + x(3)
        p = y*x(4)
      end if
      if (associated(q)) then
        y = y*sin(q)
        q = y + x(i)
      end if
    end do
    y = y*t
  end subroutine whole

  subroutine made_on_the_way(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    real(8), allocatable :: v
    type(item) :: o
    integer :: i
    y = 1
    do i = 1, 4
      if (.not. allocated(v)) allocate(v)
      v = x(i)*y
      if (i >= 3) o%v = v*x(1)
      y = y + sin(v)*v
      if (allocated(o%v)) then
        y = y*o%v
        o%v = y
      end if
    end do
    deallocate(v)
  end subroutine made_on_the_way

  subroutine change(v, a, y)
    real(8), optional, intent(inout) :: v
    real(8), intent(in) :: a
    real(8), intent(inout) :: y
    if (present(v)) then
      y = y*v + a
      v = y*y
    end if
  end subroutine change

  subroutine in_a_callee(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    type(item) :: o(4)
    integer :: i, k
    o(2)%v = x(1)
    o(4)%v = x(2)*x(3)
    y = x(4)
    do k = 1, 2
      do i = 1, 4
        call change(o(i)%v, x(i), y)
        if (allocated(o(i)%v)) then
          call change(o(i)%v, x(1), y)
          o(i)%v = o(i)%v/(1 + y*y)
        end if
      end do
    end do
    y = y + o(2)%v*o(4)%v
  end subroutine in_a_callee

  subroutine elements(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    type(item) :: o(4)
    real(8), allocatable :: u(:)
    integer :: i
    allocate(o(3)%w(2))
    o(3)%w = x(1:2)
    y = x(3)
    do i = 1, 4
      if (allocated(o(i)%w)) then
        y = y*o(i)%w(2) + x(4)
        o(i)%w(1) = y*o(i)%w(1)
      end if
      if (allocated(u)) then
        y = y*u(2)
        u(2) = y*x(i)
      else if (i == 2) then
        allocate(u(2))
        u = x(1:2)
      end if
    end do
    y = y + sum(o(3)%w*u)
  end subroutine elements
end module m
