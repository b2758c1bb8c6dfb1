! head: own_object(y)/(x)
! head: of_module(y)/(x)
! head: parts_of_parts(y)/(x)
! size: n=9
! acc: host
! Objects whose components have memory of their own: the procedure's, a variable of a module, and objects in an object. A device
! gets copies of the components.
module own_objects
  implicit none
  type state
    integer :: n
    real(8), allocatable :: h(:), hu(:)
  end type
  type grid
    real(8) :: dx = 0.5d0
    real(8), allocatable :: depth(:)
  end type
  type model
    type(state) :: now
    type(grid) :: mesh
    real(8) :: weight(3)
  end type
  type(state) :: field
contains
  subroutine own_object(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(state) :: s
    integer :: i, it
    s%n = n
    allocate(s%h(n), s%hu(0:n-1))
    !$acc data copyin(x) copyout(y)
    !$acc parallel loop
    do i = 1, s%n
      s%h(i) = x(i)
      s%hu(i-1) = sin(x(i))
    end do
    do it = 1, 5
      !$acc parallel loop
      do i = 1, s%n
        s%h(i) = s%h(i) + 0.1d0*s%hu(i-1)*s%h(i)
      end do
      !$acc parallel loop
      do i = 2, s%n - 1
        s%hu(i-1) = s%hu(i-1) + 0.1d0*(s%h(i+1) - s%h(i-1))
      end do
    end do
    !$acc parallel loop
    do i = 1, s%n
      y(i) = s%h(i)*s%hu(i-1)
    end do
    !$acc end data
  end subroutine

  subroutine of_module(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    integer :: i
    if (allocated(field%h)) deallocate(field%h, field%hu)
    allocate(field%h(n), field%hu(n))
    field%hu = x**2
    !$acc parallel loop
    do i = 1, n
      field%h(i) = x(i)*field%hu(i)
    end do
    y = sum(field%h**2) + field%hu(1)
    deallocate(field%h, field%hu)
  end subroutine

  subroutine parts_of_parts(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(model) :: all
    integer :: i
    allocate(all%now%h(n), all%mesh%depth(n))
    all%weight = [1d0, 2d0, x(1)]
    all%mesh%dx = x(2)
    !$acc parallel loop
    do i = 1, n
      all%mesh%depth(i) = x(i)**2
      all%now%h(i) = all%weight(1 + mod(i, 3))*x(i)/all%mesh%dx
    end do
    !$acc parallel loop
    do i = 1, n
      y(i) = all%now%h(i)*all%mesh%depth(i)*all%weight(3)
    end do
  end subroutine
end module
