! head: m::f(y)/(x)
! an object of a block in a loop gives its components back where the block ends
module m
implicit none
type acc
  real(8), allocatable :: h(:)
end type
contains
subroutine f(x, y)
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y(2)
  integer :: i
  y = 0
  do i = 1, 3
    block
      type(acc) :: a
      if (allocated(a%h)) a%h = a%h*2
      if (.not. allocated(a%h)) a%h = [x(i)]
      y(1) = y(1) + a%h(1)
    end block
  end do
end subroutine
end module
