! Texts of deferred length are passed to procedures that ask for their lengths only, and so are results of functions.
! head: m::f(y)/(x)
! head: m::g(y)/(x)
module m
  implicit none
  type named
    character(:), allocatable :: s
  end type
contains
  function letters(k) result(t)
    integer, intent(in) :: k
    character(:), allocatable :: t
    t = repeat('a', k)
  end function
  function stars(k) result(t)
    integer, intent(in) :: k
    character(k) :: t
    t = repeat('*', k)
  end function
  pure function trimmed(s) result(t)
    character(*), intent(in) :: s
    character(len_trim(s)) :: t
    t = s
  end function
  pure integer function length(t)
    character(*), intent(in) :: t
    length = len(t)
  end function
  subroutine scale(v, t)
    real(8), intent(inout) :: v
    character(*), intent(in), optional :: t
    v = sin(v)
    if (present(t)) v = v*(1 + len(t))
  end subroutine
  subroutine deeper(v, t)
    real(8), intent(inout) :: v
    character(*), intent(in) :: t
    call scale(v, t)
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    integer :: i
    y = x(1)
    call scale(y, stars(3))
    do i = 0, 3
      call deeper(y, trimmed(letters(i)//'  '))
      y = y*0.1d0 + x(2)*len(trimmed(letters(i)))
      call scale(y, t=letters(i))
      if (stars(i) == '**') y = y*x(3)
    end do
  end subroutine
  subroutine g(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    character(:), allocatable :: t, u(:), unset
    type(named) :: a
    integer :: i
    t = 'abc'
    allocate (character(2) :: u(2))
    u = 'xy'
    a%s = ''
    y = x(1)*length(t)
    call deeper(y, u(2))
    call scale(y, unset)
    do i = 1, 3
      t = t//'d'
      y = y*length(t)*x(i)*0.1d0
      call deeper(y, a%s)
      a%s = t(i:)
      if (length(a%s) > 2) call deeper(y, a%s(2:))
      if (i == 2) unset = t
      call scale(y, unset)
    end do
  end subroutine
end module
