module m
  implicit none
  type t
    real(8), allocatable :: c(:)
    real(8) :: s
  end type
  type box
    type(t) :: inner(2)
    real(8), allocatable :: q
  end type
contains
  subroutine fill(p, n, x)
    type(t), intent(inout) :: p
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    if (.not. allocated(p%c)) allocate(p%c(n))
    p%c = x**2
    p%s = sum(x)
  end subroutine fill

  real(8) function total(n, x)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    type(t) :: loc(2), other(2)
    loc(1)%c = x**2
    loc(2)%c = x(2:)
    loc%s = x(1)
    other = loc
    total = sum(other(1)%c) + other(2)%c(1)*loc(1)%s
  end function total
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(t) :: a(2), b(2), d(2)
    type(box) :: k(2), l(2)
    integer :: i
    do i = 1, 2
      call fill(a(i), n, x)
      call fill(d(i), n, x)
    end do
    ! Arrays of a type with allocatable components, whole and in parts.
    b = a
    a(1)%c = a(2)%c**2
    a(2)%c = a(1)%c
    d(2:2) = a(1:1)
    k(1)%inner = a
    k(1)%q = x(2)
    l = k
    y = a(1)%c*a(2)%c*b(2)%s*b(1)%c + d(1)%c*d(2)%c
    y = y + l(1)%inner(2)%c*l(1)%q
    do i = 1, 2
      y(i) = y(i)*total(n, x)
    end do
  end subroutine f
end module m
