! head: m::f(y)/(x)
! The target of a pointer and the pointer are module variables.
module m
implicit none
real(8), allocatable, target :: store(:)
real(8), pointer :: view(:) => null()
contains
subroutine f(x,y)
real(8), intent(in) :: x(4)
real(8), intent(out) :: y
integer :: i
y = 0
do i = 1, 3
 if (allocated(store)) deallocate(store)
 allocate(store(i+1))
 store = x(1:i+1)
 view => store(2:)
 view = view**2
 y = y + sum(store)*view(1)
end do
nullify(view)
deallocate(store)
end subroutine
end module
