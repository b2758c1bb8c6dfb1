! head: arrays_of_outputs::f(y)/(x)
! head: outputs_in_turn::f(y)/(x)
! head: elemental_outputs::f(y)/(x)
! outputs whose types give their components values, and that come without memory; part of them counts after each call
module arrays_of_outputs
implicit none
type obj
  real(8) :: v(2)
  real(8) :: s = 0.1d0
end type
contains
subroutine mk(o, a)
  type(obj), intent(out) :: o(:)
  real(8), intent(in) :: a(:)
  integer :: i
  do i = 1, size(a)
  o(i)%v = a(1:2)
  end do
end subroutine
subroutine f(x, y)
  real(8), intent(in) :: x(2)
  real(8), intent(out) :: y(1)
  type(obj) :: a(2)
  integer :: i
call mk(a,x)
  a%s = a%s*x(1)
  y = 0
  do i = 1, 2
  y = y + a(i)%s + sum(a(i)%v)
  end do
end subroutine
end module
module outputs_in_turn
implicit none
type obj
  real(8), allocatable :: v(:)
  real(8) :: s
end type
contains
subroutine mk(o, a)
  real(8), intent(in) :: a(:)
  type(obj), intent(out) :: o(:)
  integer :: i
  do i = 1, size(a)
  o(i)%v = a(i:)
  o(i)%s = a(1)
  end do
end subroutine
subroutine f(x, y)
  real(8), intent(in) :: x(2)
  real(8), intent(out) :: y(1)
  type(obj) :: a(2)
  integer :: i
  call mk(a,x)
 y = sum(a(1)%v)
 call mk(a,x*x(1))
 y = y + sum(a%s)
end subroutine
end module
module elemental_outputs
implicit none
type obj
  real(8), allocatable :: v(:)
  real(8) :: s = 0.1d0
  integer :: k = 1
end type
contains
elemental subroutine mk(o, a, k)
  type(obj), intent(out) :: o
  real(8), intent(in) :: a
  integer, intent(in) :: k
  integer :: i
  if (k == 0) return
  o%v = [(a**i, i=1,k)]
  o%k = k
end subroutine
impure elemental subroutine eat(o, acc)
  type(obj), intent(inout) :: o
  real(8), intent(inout) :: acc
  acc = acc*0.5d0 + o%s
  if (.not. allocated(o%v)) return
  o%s = o%s*acc + sum(o%v)
  o%v = o%v(2:)
  if (size(o%v) == 0) deallocate(o%v)
end subroutine
elemental function comb(a, b) result(r)
  type(obj), intent(in) :: a, b
  type(obj) :: r
  r%s = a%s*b%s
  if (allocated(a%v) .and. allocated(b%v)) then
    r%v = [a%v, b%v]
  else if (allocated(a%v)) then
    r%v = a%v*b%s
  end if
  r%k = max(a%k, b%k)
end function
subroutine f(x, y)
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y(2)
  type(obj) :: a(4), b(2), c(4)
  real(8) :: acc, ac(4)
  integer :: i, t
  acc = x(1)
  ac = x
  call mk(a, x, [1,0,3,2])
  call mk(b, x(1)*x(2), [2,1])
  y = 0
  do t = 1, 3
    call eat(a(1:4:2), ac(2:3))
    c(1:2) = comb(a(1:2), b)
    c(3:4) = comb(b, a(t))
    call eat(c, ac)
    acc = tanh(acc*ac(1)+ac(4))
    call mk(a(t:t+1), acc*[0.5d0,0.25d0], t)
    b = comb(c(2:3), a(3:4))
    where (a%k > 1) a%s = a%s*acc
    forall (i=1:4, c(i)%k > 1) c(i)%s = c(i)%s + a(i)%s
    acc = tanh(acc + sum(c%s))
    y(1) = y(1) + acc
  end do
  do i = 1, 4
    y(2) = y(2) + i*a(i)%s + c(i)%s
    if (allocated(c(i)%v)) y(2) = y(2) + tanh(sum(c(i)%v))
    if (allocated(a(i)%v)) y(2) = y(2) + tanh(sum(a(i)%v))
  end do
end subroutine
end module
