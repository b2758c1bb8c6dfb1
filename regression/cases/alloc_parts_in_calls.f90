module m
  implicit none
  type state
    real(8), allocatable :: u(:), v(:)
  end type
  real(8), allocatable :: wet(:), dry(:)
contains
  ! Only one component comes and goes; the other one keeps its derivative.
  subroutine renew(s, n)
    type(state), intent(inout) :: s
    integer, intent(in) :: n
    if (allocated(s%v)) deallocate(s%v)
    allocate(s%v(n))
  end subroutine

  ! One component has a derivative here, the other one only gets its memory.
  subroutine turn(s, n)
    type(state), intent(inout) :: s
    integer, intent(in) :: n
    if (allocated(s%v)) deallocate(s%v)
    allocate(s%v(n))
    s%v = 1
    s%u = sin(s%u)
  end subroutine

  ! The same for variables of the module.
  subroutine setup(n, x)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    if (allocated(wet)) deallocate(wet, dry)
    allocate(wet(n), dry(n))
    wet = x**3
    dry = 2
  end subroutine

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(state) :: s
    type(state), allocatable :: t
    allocate(s%u(n), t)
    s%u = x**2
    allocate(t%u(n))
    t%u = exp(x)
    call renew(s, n)
    call renew(t, n)
    s%v = s%u*x
    t%v = t%u*x
    y = s%u*s%v + t%u*t%v
    call turn(s, n/2)
    call turn(t, n/2)
    s%v = s%u(:n/2)*s%v
    t%v = t%u(:n/2)*t%v
    y(:n/2) = y(:n/2)*s%v + t%v
    call setup(n, x)
    dry = dry*wet
    y = y + dry*x
    call setup(n/2, x(n/2+1:))
    dry = dry*wet
    y(:n/2) = y(:n/2)*dry
  end subroutine f

  ! A variable goes together with its components.
  subroutine g(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(state), allocatable :: s
    call make(s, n)
    s%u = s%u*x
    y = s%u**2
  end subroutine

  subroutine make(s, n)
    type(state), allocatable, intent(inout) :: s
    integer, intent(in) :: n
    if (allocated(s)) deallocate(s)
    allocate(s)
    allocate(s%u(n))
    s%u = 2
  end subroutine
end module m
