! head: by_argument::f(y)/(x)
! head: by_module::f(y)/(x)
! head: by_component::f(y)/(x)
! calls that change the subscript of an argument whose memory they replace
module by_argument
implicit none
type item
  real(8), allocatable :: v(:)
end type
contains
subroutine chg(e, k, z)
  type(item), intent(inout) :: e
  integer, intent(inout) :: k
  real(8), intent(in) :: z
  k = k + 1
  e%v = [z, z**2]
end subroutine
subroutine f(x, y)
  real(8), intent(in) :: x(2)
  real(8), intent(out) :: y(1)
  type(item) :: a(3)
  integer :: k
  k = 1
  call chg(a(k), k, x(1))
  call chg(a(k), k, x(2))
  y(1) = a(1)%v(1)*a(2)%v(2)
end subroutine
end module
module by_module
implicit none
type item
  real(8), allocatable :: v(:)
end type
integer :: k
contains
subroutine chg(e, z)
  type(item), intent(inout) :: e
  real(8), intent(in) :: z
  k = k + 1
  e%v = [z, z**2]
end subroutine
subroutine f(x, y)
  real(8), intent(in) :: x(2)
  real(8), intent(out) :: y(1)
  type(item) :: a(3)
  k = 1
  call chg(a(k), x(1))
  call chg(a(k), x(2))
  y(1) = a(1)%v(1)*a(2)%v(2)
end subroutine
end module
module by_component
implicit none
type item
  real(8), allocatable :: v(:)
  integer :: nxt = 1
end type
type list
  type(item), allocatable :: it(:)
  integer :: n = 1
  real(8), allocatable :: top
end type
contains
subroutine chg(e, k, z)
  type(item), intent(inout) :: e
  integer, intent(inout) :: k
  real(8), intent(inout) :: z
  k = mod(k,3)+1
  if (.not. allocated(e%v)) then
    e%v = [z]
  else
    e%v = [e%v*z, z*k]
  end if
  e%nxt = k
  z = z*0.5d0 + e%v(1)
end subroutine
subroutine setv(e, v, k)
  type(item), intent(out) :: e
  real(8), intent(in) :: v(:)
  integer, intent(in) :: k
  if (k > 3) return
  e%v = v(size(v):1:-1)
  e%nxt = mod(k,3)+1
end subroutine
function nextof(l) result(k)
  type(list), intent(inout) :: l
  integer :: k
  k = l%n
  l%n = l%it(k)%nxt
  if (.not. allocated(l%top)) then
    l%top = 1d0
  else
    l%top = l%top*0.7d0 + 0.1d0*k
  end if
end function
subroutine f(x, y)
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y(2)
  type(list) :: l
  integer :: t, k, n
  allocate(l%it(3))
  l%it(2)%v = x(1:2)
  l%it%nxt = [2,3,1]
  y = x(3)
  do t = 1, 4
    call chg(l%it(l%n), l%n, y(1))
    k = nextof(l)
    call chg(l%it(k), k, l%top)
    call setv(l%it(k), [x(t)*y(1), l%top], size(x)-t)
    n = size(l%it)
    do k = 1, n
      if (k > size(l%it)) exit
      if (.not. allocated(l%it(k)%v)) then
        l%it = [l%it(:k-1), l%it(k+1:), item([y(1)], k)]
        cycle
      end if
      call setv(l%it(k), (l%it(k)%v)*0.9d0, (l%it(k)%nxt))
      y(2) = tanh(y(2)*sum(l%it(k)%v)) + l%top
    end do
  end do
  y(1) = tanh(y(1))
end subroutine
end module
