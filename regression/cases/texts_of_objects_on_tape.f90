! Objects with texts in them, and texts alone, that a loop of unknown length overwrites: the tape takes copies of the texts.
! head: m::f(y)/(x)
! size: n=5
module m
  implicit none
  type part
    character(3) :: tag
    real(8) :: z(2)
  end type
  type cell
    character(8) :: name
    real(8) :: u(3), v
    integer :: k
    character(4) :: tags(2)
    type(part) :: parts(2)
    logical :: on
  end type
contains
  subroutine step(c, x)
    type(cell), intent(inout) :: c
    real(8), intent(in) :: x
    c%v = c%v*c%u(1) + sin(c%v)*x
    if (c%name(1:1) == 'a') c%u = c%u*c%v
    c%name(1:1) = char(ichar(c%name(1:1)) + 1)
    c%tags(2)(2:3) = c%name(1:2)
    c%parts(1)%z = c%parts(2)%z*c%v
    c%parts(2)%tag = c%name(1:3)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(cell) :: c, d, both(2)
    integer :: i
    character(2) :: w
    c%name = 'abc'
    c%tags = 'x'
    c%u = x(1)
    c%v = x(2)
    c%k = 1
    c%on = .true.
    do i = 1, 2
      c%parts(i)%tag = 'p'
      c%parts(i)%z = x(i)
    end do
    i = 0
    w = 'ab'
    both = c
    do while (i < n .and. c%v < 1d3)
      i = i + 1
      d = c
      d%u = d%u*x(i)
      call step(c, x(i))
      c%v = c%v*d%u(2)
      if (c%tags(2)(2:2) == 'c' .and. w(1:1) == 'a') c%v = c%v*c%parts(1)%z(2) + x(i)**2
      y(i) = c%v*c%u(2)
      w = w(2:2)//w(1:1)
      both(2) = both(1)
      both(1) = c
      y(i) = y(i)*both(2)%v
      d = c
      if (d%name(1:1) /= 'd') c = d
      if (i == 2) c = both(2)
    end do
  end subroutine
end module
