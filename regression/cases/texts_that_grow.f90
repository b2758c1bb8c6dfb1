! Texts of deferred length grow in loops, and what is computed depends on them: the backward sweep takes them off a tape.
! head: m::f(y)/(x)
! head: m::g(y)/(x)
module m
  implicit none
  type option
    character(:), allocatable :: name
  end type
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    character(:), allocatable :: path
    integer :: i, k
    y = 1
    do i = 1, 3
      if (allocated(path)) y = y*x(i)*len(path)
      do k = 1, i
        if (.not. allocated(path)) then
          path = ''
        else if (mod(k, 2) == 0) then
          path = path//'h'
        else
          path = 'lo'//path
        end if
        y = y*apply(path, x(i))
      end do
    end do
    y = y*len(path) + index(path, 'h')*x(1)
  end subroutine
  function apply(p, v) result(r)
    character(*), intent(in) :: p
    real(8), intent(in) :: v
    real(8) :: r
    integer :: k
    r = v
    do k = 1, len(p)
      select case (p(k:k))
      case ('h')
        r = r*1.5d0
      case ('l')
        r = r + v**k
      end select
    end do
  end function
  subroutine g(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(option) :: o
    integer :: i
    y = x(1)
    o%name = ''
    i = 0
    do while (i < 3)
      i = i + 1
      if (mod(len(o%name), 2) == 0) y = sin(y)
      y = y*x(i)*(1 + len(o%name))
      o%name = o%name//'ab'(:i-i/3*2)
    end do
  end subroutine
end module
