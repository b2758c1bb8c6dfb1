! head: m::f(y)/(x)
! Texts of deferred length that aren't allocated yet, or no more, passed as optional arguments: absent then, also in the
! backward sweep.
module m
  implicit none
  type :: named
    character(:), allocatable :: name
  end type named
contains
  real(8) function g(v, s) result(r)
    real(8), intent(in) :: v
    character(*), intent(in), optional :: s
    r = v*v
    if (present(s)) r = r*(len(s) + 1)
  end function g

  subroutine lengthen(t, n)
    character(:), allocatable, intent(inout) :: t
    integer, intent(in) :: n
    if (allocated(t)) then
      t = t//repeat('a', n)
    else
      t = repeat('b', n)
    end if
  end subroutine lengthen

  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(6)
    character(:), allocatable :: t, u, w
    type(named) :: p, q
    integer :: i
    y(1) = g(x(1), t)
    t = 'ab'
    y(1) = y(1)*g(x(2), s=t)
    t = t//t
    y(1) = y(1)*g(x(3), t)
    do i = 1, 3
      y(i + 1) = g(x(i)*x(i), u)
      u = 'ab'
      y(i + 1) = y(i + 1)*g(x(i), u)
      u = 'cde'//u
      y(i + 1) = y(i + 1)*g(x(i), u)
      if (i == 2) deallocate(u)
      y(i + 1) = y(i + 1)*g(y(i), u)
    end do
    y(5) = g(x(1), w)
    call lengthen(w, 2)
    y(5) = y(5)*g(x(1), w)
    call lengthen(w, 3)
    y(5) = y(5)*g(x(2), w)
    deallocate(w)
    y(5) = y(5)*g(x(3), w)
    y(6) = g(x(1), p%name)
    p%name = 'ab'
    y(6) = y(6)*g(x(1), p%name)
    q = p
    p = named()
    y(6) = y(6)*g(x(2), p%name)*g(x(1), q%name)
    q = p
    y(6) = y(6)*g(x(3), q%name)
    p = named('abc')
    y(6) = y(6)*g(x(3), p%name)
  end subroutine f
end module m
