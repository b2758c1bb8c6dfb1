! Texts of deferred length that are freed and get another length: in a loop, in a call, in a component, and arrays of them.
! head: m::f(y)/(x)
module m
  implicit none
  type named
    character(:), allocatable :: name
    real(8) :: v
  end type named
contains
  subroutine renamed(a, x, k)
    type(named), intent(inout) :: a
    real(8), intent(in) :: x
    integer, intent(in) :: k
    a%v = a%v*x**len(a%name)
    if (k > 1) then
      deallocate(a%name)
      a%name = repeat('x', k)
    end if
    a%v = sin(a%v*x*len(a%name))
  end subroutine renamed
  subroutine started(s, k)
    character(:), allocatable, intent(out) :: s
    integer, intent(in) :: k
    if (k /= 2) s = repeat('a', k)
  end subroutine started
  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    type(named) :: a
    character(:), allocatable :: s, w(:)
    integer :: i
    a%v = x(1)
    a%name = 'abc'
    s = 'b'
    allocate(character(3) :: w(2))
    w = 'abc'
    do i = 1, 3
      call renamed(a, x(i), i)
      s = s//repeat('a', i)
      a%v = a%v*len(s)*x(i)**len(s)
      if (allocated(s) .and. i > 1) then
        deallocate(s)
        s = 'x'
      end if
      if (s(1:1) == 'x') a%v = a%v*x(4)
      if (i == 2) then
        deallocate(w)
        allocate(character(i) :: w(3))
        w = 'bb'
      end if
      if (w(2) == 'bb') a%v = a%v**2*size(w)
    end do
    y = a%v*len(a%name)
    do i = 1, 3
      call started(s, i)
      if (allocated(s)) y = y*x(1)**len(s)
    end do
  end subroutine f
end module m
