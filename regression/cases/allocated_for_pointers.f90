! head: m::f(y)/(x)
! calls allocate components that only pointers of their callers lead derivatives through
module m
  implicit none
  type :: tracer
    real(8), allocatable :: c(:)
    real(8) :: sink = 0
  end type tracer
  type(tracer), allocatable, target :: registry(:)
  real(8), pointer :: last(:)
contains
  subroutine add(tr, n, sink)
    type(tracer), allocatable, intent(inout), target :: tr(:)
    integer, intent(in) :: n
    real(8), intent(in) :: sink
    allocate (tr(1))
    allocate (tr(1)%c(n), source=0.0d0)
    tr(1)%sink = sink
  end subroutine add

  subroutine grow(c, n)
    real(8), allocatable, intent(inout), target :: c(:)
    integer, intent(in) :: n
    if (allocated(c)) deallocate (c)
    allocate (c(n))
    c = 1
  end subroutine grow

  subroutine renew(tr, n, sink)
    type(tracer), intent(inout), target :: tr(:)
    integer, intent(in) :: n
    real(8), intent(in) :: sink
    integer :: k
    do k = 1, size(tr)
      call grow(tr(k)%c, n)
      tr(k)%sink = sink*k
    end do
  end subroutine renew

  subroutine register(k, n, sink)
    integer, intent(in) :: k, n
    real(8), intent(in) :: sink
    if (.not. allocated(registry)) allocate (registry(3))
    if (allocated(registry(k)%c)) deallocate (registry(k)%c)
    allocate (registry(k)%c(n), source=0.0d0)
    registry(k)%sink = sink
    last => registry(k)%c
  end subroutine register

  function find(k) result(p)
    integer, intent(in) :: k
    real(8), pointer :: p(:)
    p => registry(k)%c
  end function find

  subroutine f(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    type(tracer), allocatable, target :: tr(:)
    type(tracer), target :: two(2)
    real(8), pointer :: a(:), b(:)
    integer :: i, k
    call add(tr, n, x(1))
    a => tr(1)%c
    do i = 1, n
      a(i) = a(i)*2 + x(i)
    end do
    y = sum(tr(1)%c)*tr(1)%sink
    ! Found by their numbers in a module.
    call register(1, n, x(1))
    call register(3, n, x(2))
    a => find(1)
    b => find(3)
    do i = 1, n
      a(i) = a(i)*2 + x(i)
      b(i) = a(i)*b(i) + x(i)**2
    end do
    last = last*x(2)
    y = y + sum(registry(1)%c)*registry(1)%sink + sum(registry(3)%c*a)*registry(3)%sink
    ! Allocated again between the steps of a loop.
    call renew(two, n, x(1))
    do k = 1, 3
      a => two(mod(k, 2) + 1)%c
      do i = 1, n
        a(i) = a(i)**2 + x(i)
      end do
      y = y + sum(two(1)%c)*two(1)%sink + sum(two(2)%c)
      if (k == 2) call renew(two, n, x(2))
    end do
  end subroutine f
end module m
