! head: m::f(y)/(x)
! head: m::g(y)/(x)
! size: k=1
! copies of numbers that a function changes afterwards, by its argument
module m
  implicit none
  type place
    integer :: k = 1
  contains
    procedure :: next
  end type place
contains
  integer function next(this)
    class(place), intent(inout) :: this
    this%k = this%k + 1
    next = this%k
  end function next

  integer function following(k)
    integer :: k
    k = k + 1
    following = k
  end function following

  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    real(8) :: a(4)
    type(place) :: o
    integer :: k, j
    a = x
    k = o%k
    j = o%next()
    a(k) = a(k)**2*j
    associate (q => a(o%k), r => a(o%k:o%k + 1))
      if (o%next() == 3) q = q**2
      r = r*q
    end associate
    y = a(1)*a(2) + a(3)**2
  end subroutine f

  subroutine g(k, x, y)
    integer, intent(inout) :: k
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    real(8) :: a(4)
    integer :: first, i, j
    a = x
    first = k
    j = following(k)
    a(first) = a(first)**2
    do i = first, 3
      a(i) = a(i)*a(i + 1)*j
    end do
    if (following(k) == 3) a(first:first + 1) = sin(a(first:first + 1))
    y = sum(a)
    k = first
  end subroutine g
end module m
