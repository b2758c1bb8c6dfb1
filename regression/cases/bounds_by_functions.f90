! Bounds of local arrays that a specification function takes from a variable of the module, which changes between calls,
! and from an argument that nothing else reads.
! head: m::f(y)/(x)
module m
  implicit none
  integer :: most = 2
contains
  pure integer function extent(k)
    integer, intent(in) :: k
    extent = k + inner()
  end function
  pure integer function inner()
    inner = most
  end function
  subroutine g(a, r)
    real(8), intent(in) :: a
    real(8), intent(inout) :: r
    real(8) :: w(extent(1))
    w = a*r
    r = r*sum(w**2)
    most = most + 1
  end subroutine
  subroutine h(k, r)
    integer, intent(in) :: k
    real(8), intent(inout) :: r
    real(8) :: w(extent(k))
    w = r
    r = r*sum(w)
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    integer :: k
    most = 2
    y = 1
    call g(x, y)
    most = 4
    call g(x, y)
    most = 3
    k = most - 1
    call h(k, y)
  end subroutine
end module
