! Structures with arrays of structures, which have arrays: copies, also of an element of an array to itself, and zeros.
! head: m::copies(y)/(x)
! head: m::selves(y)/(x)
! head: m::deeper(y)/(x)
! head: m::held(y)/(x)
! head: m::twice(y)/(x)
! size: n=5
module m
  implicit none
  type inner
    real(8) :: s
    real(8) :: v(3)
  end type inner
  type outer
    type(inner) :: row(2)
    real(8) :: g(3)
  end type outer
  type deep
    type(outer) :: o(2, -1:0)
    type(inner) :: plain
  end type deep
  type holder
    real(8), allocatable :: a(:)
  end type holder
  type holders
    type(holder) :: h(2)
  end type holders
contains
  subroutine filled(u, o)
    real(8), intent(in) :: u
    type(outer), intent(out) :: o
    o%row(1) = inner(sin(u), [u, 0.1d0, u*u])
    o%row(2) = inner(cos(u), [0.3d0, u, 1d0/(2d0 + u)])
    o%g = [u, 2d0*u, 0.2d0]
  end subroutine filled

  subroutine copies(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(outer) :: a, b, c(3)
    call filled(x(1), a)
    call filled(x(2), b)
    y = x
    c(1) = a
    c(2) = b
    c(3) = c(1)
    a = b
    b = c(3)
    c(1)%row(2) = c(2)%row(1)
    y(1) = sum(a%row%s)*b%row(1)%v(2) + c(1)%row(2)%v(3)*sum(c(3)%g)
    y(2) = y(2)*sum(c(1)%row%s*c(2)%row%s)
    c(2:3) = c(1:2)
    y(3) = c(3)%row(1)%v(1)*c(2)%row(2)%s + sum(b%g)
  end subroutine copies

  subroutine selves(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(outer) :: c(3)
    integer :: i, j
    do i = 1, 3
      call filled(x(i), c(i))
    end do
    y = 0d0
    do i = 1, 3
      do j = 1, 3
        c(j) = c(mod(i*j, 3) + 1)
        c(i)%row(mod(j, 2) + 1) = c(j)%row(mod(i + j, 2) + 1)
        c(j)%g(1) = c(j)%g(1)*c(i)%row(1)%v(3) + 0.1d0*i
      end do
      y(1) = y(1) + sum(c(i)%g) + sum(c(i)%row%s)
      y(2) = y(2) + c(i)%row(1)%v(2)*c(i)%row(2)%v(1)*x(4)
    end do
  end subroutine selves

  subroutine deeper(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(deep) :: a, b(2)
    integer :: i, j
    do j = -1, 0
      do i = 1, 2
        call filled(x(i)*x(3) + j, a%o(i, j))
      end do
    end do
    a%plain = inner(x(1), [x(2), x(3), x(4)])
    b(1) = a
    b(2) = b(1)
    a%o(1, 0) = b(2)%o(2, -1)
    i = nint(x(1)*0d0) + 1
    b(i) = b(1)
    b(2)%plain = a%o(2, 0)%row(2)
    y = x*sum(a%o(1, :)%g(2)) + b(2)%o(2, -1)%row(1)%v(3)
    y(1) = y(1) + b(2)%plain%v(2)*b(1)%o(1, 0)%row(2)%s
  end subroutine deeper

  subroutine held(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(holders) :: a(2), b
    integer :: i, j
    do i = 1, 2
      do j = 1, 2
        allocate(a(i)%h(j)%a(j + 1))
        a(i)%h(j)%a = x(i)*j
      end do
    end do
    b = a(2)
    a(1)%h(2) = b%h(1)
    y = x*sum(a(1)%h(2)%a)*a(2)%h(2)%a(3) + sum(b%h(2)%a**2)
  end subroutine held

  subroutine both(a, b, r)
    type(outer), intent(inout) :: a
    type(outer), intent(in) :: b
    real(8), intent(out) :: r
    r = sum(b%row%s)*sum(b%g) + sum(a%row(1)%v)
    a%row(2)%s = r*a%row(1)%s
  end subroutine both

  subroutine twice(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(outer) :: a, b
    real(8) :: r
    call filled(x(1), a)
    call filled(x(2), b)
    y = x
    call both(a, b, r)
    y(1) = r*a%row(2)%s
    call both(a, (a), r)
    y(2) = r*a%row(2)%s
  end subroutine twice
end module m
