! head: m::grow(y)/(x)
! head: m::nested(y)/(x)
! head: m::picked(y)/(x)
! head: m::views(y)/(x)
! Lists of objects with allocatable components or pointers that get more, fewer or other elements: array constructors that
! hold the list itself, sections that overlap it, and functions that pick elements.
module m
  implicit none
  type bag
    real(8), allocatable :: p(:)
    integer :: n = 0
  end type bag
  type view
    real(8), pointer :: p(:) => null()
  end type view
contains
  function make(t) result(v)
    real(8), intent(in) :: t(:)
    type(bag) :: v
    v%p = t
    v%n = size(t)
  end function make
  function look(t) result(v)
    real(8), target, intent(in) :: t(:)
    type(view) :: v
    v%p => t
  end function look
  real(8) function total(a)
    type(bag), intent(in) :: a(:)
    integer :: k
    total = 0
    do k = 1, size(a)
      if (allocated(a(k)%p)) total = total + k*sum(a(k)%p)*a(k)%p(1)
    end do
  end function total
  subroutine grow(x, y)
    real(8), intent(in) :: x(5)
    real(8), intent(out) :: y(2)
    type(bag), allocatable :: a(:)
    integer :: k
    allocate(a(0))
    do k = 1, 3
      a = [a, make(x(k:)**2)]
      a(1)%p = a(1)%p*a(k)%p(1)
    end do
    y = [total(a), a(2)%p(1)*x(2)]
  end subroutine grow
  subroutine nested(x, y)
    real(8), intent(in) :: x(5)
    real(8), intent(out) :: y(2)
    type(bag), allocatable :: a(:), b(:)
    integer :: k
    a = [make(x**2), make(x(2:)**2)]
    b = [(a(k), k = 1, 2), (make(x(k:)), k = 1, 3)]
    a = [a, b(2:3), a(1:0)]
    b = [b(5:4:-1), a]
    y = [total(a), total(b)]
  end subroutine nested
  subroutine picked(x, y)
    real(8), intent(in) :: x(5)
    real(8), intent(out) :: y(2)
    type(bag), allocatable :: a(:)
    type(bag) :: q
    integer :: k
    a = [make(x**2), make(x(2:)**2), make(x**3)]
    do k = 1, 3
      q = a(1)
      a = cshift(a, -1)
      a(1)%p = a(1)%p*q%p(1)
      a(1:2) = a(2:1:-1)
      if (k == 2) a = pack(a, a%n > 4)
      a([1, 2]) = a([2, 1])
    end do
    y = [total(a), q%p(1)*size(a)]
  end subroutine picked
  subroutine views(x, y)
    real(8), intent(in) :: x(5)
    real(8), intent(out) :: y(2)
    real(8), target :: t(5)
    type(view), allocatable :: a(:), b(:)
    type(view) :: q
    integer :: k
    t = x
    allocate(a(0))
    do k = 1, 3
      a = [a, look(t(k:))]
      a(k)%p = a(k)%p*x(k)
    end do
    b = a(3:1:-1)
    do k = 1, 3
      q = merge(b(1), a(2), x(k) > 0)
      b = cshift(b, 1)
      b(1)%p = b(1)%p*q%p(1)
    end do
    a = [a, pack(b, [.true., .false., .true.])]
    a(4)%p = a(4)%p*a(5)%p(1)
    y = [sum(t), t(1)*x(2)]
  end subroutine views
end module m
