! head: halves::f(y)/(x)
! head: mixed::f(y)/(x)
! head: sections_of_objects::f(y)/(x)
! elemental functions whose results have memory of other sizes, and go to their own arguments
module halves
implicit none
type q
  real(8), allocatable :: v(:)
end type
contains
elemental function half(a) result(r)
  type(q), intent(in) :: a
  type(q) :: r
  r%v = a%v(2:)*0.5d0
end function
subroutine f(x, y)
  real(8), intent(in) :: x(2)
  real(8), intent(out) :: y(1)
  type(q) :: a(2), b(2)
  integer :: i
  a(1)%v = [x, x(1)]
  a(2)%v = [x, x]
  a = half(a)
  y(1) = sum(a(1)%v)*sum(a(2)%v)
end subroutine
end module
module mixed
implicit none
type q
  real(8), allocatable :: v(:)
  integer :: k = 1
end type
contains
elemental function half(a) result(r)
  type(q), intent(in) :: a
  type(q) :: r
  r%v = [a%v*0.5d0, a%v(1)]
  r%k = a%k + 1
end function
elemental function mix(a, b) result(r)
  type(q), intent(in) :: a, b
  type(q) :: r
  allocate(r%v(min(size(a%v), size(b%v))))
  r%v = a%v(1:size(r%v))*b%v(1:size(r%v))
end function
subroutine f(x, y)
  real(8), intent(in) :: x(3)
  real(8), intent(out) :: y(1)
  type(q) :: a(3), b(3)
  type(q), allocatable :: l(:)
  integer :: i, t
  do i = 1, 3
    a(i)%v = x(1:i)*i
  end do
  b = half(a)
  do t = 1, 2
    a(2:3) = half(a(1:2))
    a(1:2) = mix(a(2:3), b(1:2))
    a = mix(a, a(3:1:-1))
    l = half(a)
    l = mix(l, b)
    where (a%k == 1) b = half(b)
    l = half(l(2:))
    if (size(l) > 1) l(1) = mix(l(1), l(2))
  end do
  y(1) = 0
  do i = 1, 3
    y(1) = y(1) + sum(a(i)%v)*a(i)%k + sum(b(i)%v)
  end do
  y(1) = y(1)*sum(l(1)%v)
end subroutine
end module
module sections_of_objects
implicit none
type obj
  real(8), allocatable :: v(:)
end type
contains
elemental function comb(a, b) result(r)
  type(obj), intent(in) :: a, b
  type(obj) :: r
  if (allocated(a%v) .and. allocated(b%v)) then
    r%v = [a%v, b%v]
  else if (allocated(a%v)) then
    r%v = a%v*0.5d0
  end if
end function
subroutine f(x, y)
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y(1)
  type(obj) :: a(4), b(2), c(4)
  integer :: i, t
  a(1)%v = x(1:1)
  a(3)%v = x(1:3)
  a(4)%v = x(2:3)
  b(1)%v = x(3:4)
  b(2)%v = x(2:2)
  y = 0
  do t = 1, 3
    c(1:2) = comb(a(1:2), b)
    c(3:4) = comb(b, a(t))
    b = comb(c(2:3), a(3:4))
    if (allocated(c(3)%v)) y = y + sum(c(3)%v)
    if (allocated(b(2)%v)) y = y + sum(b(2)%v)**2
  end do
  y(1) = y(1)*sum(a(4)%v)
end subroutine
end module
