! A final procedure frees what its object's pointer leads to, and counts: the object is a local one of a procedure that is
! called, which allocates that memory, so that no adjoint outside of the call can need it.
! head: m::f(y)/(x)
module m
  implicit none
  type held
    real(8), pointer :: p(:) => null()
  contains
    final :: clean
  end type
  integer :: count = 0
contains
  subroutine clean(self)
    type(held), intent(inout) :: self
    if (associated(self%p)) then
      deallocate (self%p)
      count = count + 1
    end if
  end subroutine
  subroutine inner(x, s)
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: s
    type(held) :: a
    allocate (a%p(size(x)))
    a%p = x**2
    s = sum(a%p)*x(1)
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: s
    integer :: i
    y = 0
    count = 1
    do i = 1, 3
      call inner(x(:i), s)
      y = y + s*count
    end do
  end subroutine
end module
