! head: m::f(s%mass,s%energy)/(s%h,s%u,s%g%dx,c)
! head: m::columns(total)/(list%t)
! head: m::nested(total)/(x,d%c%t)
! head: m::global(total,m::all_columns%w)/(x,m::all_columns%t)
! objects named only in part, of which the primal allocates other components
module m
  implicit none
  type :: grid
    integer :: n = 0
    real(8), allocatable :: dx(:)
  end type grid
  type :: state
    type(grid) :: g
    real(8), allocatable :: h(:), u(:)
    real(8) :: mass = 0, energy = 0
    real(8), allocatable :: work(:, :)
  end type state
  type :: column
    real(8), allocatable :: t(:)
    real(8), allocatable :: diag(:)
    real(8) :: w = 0
  end type column
  type :: domain
    type(column), allocatable :: c(:)
    type(column) :: one
    real(8), pointer :: p(:) => null()
  end type domain
  type(column) :: all_columns(2)
contains
  subroutine set_up(s, n)
    type(state), intent(inout) :: s
    integer, intent(in) :: n
    if (.not. allocated(s%work)) allocate (s%work(n, 2))
    s%work = 0
  end subroutine set_up

  subroutine diagnose(s)
    type(state), intent(inout) :: s
    integer :: i
    do i = 1, size(s%h)
      s%work(i, 1) = s%h(i)*s%u(i)**2
      s%work(i, 2) = s%h(i)**2
    end do
    s%mass = sum(s%h*s%g%dx)
    s%energy = 0.5d0*sum(s%work)
  end subroutine diagnose

  subroutine f(s, c)
    type(state), intent(inout) :: s
    real(8), intent(in) :: c
    if (allocated(s%work)) deallocate (s%work)
    call set_up(s, size(s%h))
    s%h = s%h + c*s%u*s%g%dx
    call diagnose(s)
  end subroutine f

  subroutine columns(list, total)
    type(column), intent(inout) :: list(:)
    real(8), intent(out) :: total
    integer :: i
    total = 0
    do i = 1, size(list)
      if (allocated(list(i)%diag)) deallocate (list(i)%diag)
      allocate (list(i)%diag(size(list(i)%t)))
      list(i)%diag = list(i)%t**2
      list(i)%w = sum(list(i)%diag)
      total = total + list(i)%w
    end do
  end subroutine columns

  subroutine nested(d, x, total)
    type(domain), intent(inout) :: d
    real(8), intent(in) :: x
    real(8), intent(out) :: total
    integer :: i
    total = 0
    do i = 1, size(d%c)
      if (allocated(d%c(i)%diag)) deallocate (d%c(i)%diag)
      if (.not. allocated(d%c(i)%diag)) allocate (d%c(i)%diag(3))
      d%c(i)%diag = d%c(i)%t(1)*x
      total = total + sum(d%c(i)%diag**2)
    end do
    d%one%t = d%c(1)%diag
    d%one%w = total
  end subroutine nested

  subroutine global(x, total)
    real(8), intent(in) :: x
    real(8), intent(out) :: total
    integer :: i
    total = 0
    do i = 1, 2
      if (allocated(all_columns(i)%diag)) deallocate (all_columns(i)%diag)
      allocate (all_columns(i)%diag(3))
      all_columns(i)%diag = all_columns(i)%t(1)*x
      all_columns(i)%w = sum(all_columns(i)%diag**2)
      total = total + all_columns(i)%w
    end do
  end subroutine global
end module m
