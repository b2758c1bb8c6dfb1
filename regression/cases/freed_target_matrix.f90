! head: m::f(y)/(x)
! Pointers, one of them beside its target in a type, lead to rows and columns of a matrix that is allocated anew.
module m
implicit none
type box
 real(8), allocatable :: a(:,:)
 real(8), pointer :: row(:) => null()
end type
contains
subroutine f(x,y)
real(8), intent(in) :: x(4)
real(8), intent(out) :: y
type(box), target :: b
real(8), pointer :: q(:)
integer :: i
y = 0
allocate(b%a(0:1,4))
b%a(0,:) = x
b%a(1,:) = x*2
b%row => b%a(0,:)
q => b%a(:,2)
do i = 1, 6
 b%row(1) = b%row(1)*b%row(2)
 q = q*q(1)
 y = y + sum(b%a)*b%row(3)
 if (mod(i,2) == 0) then
  deallocate(b%a)
  allocate(b%a(0:i,-1:i+4))
  b%a = y
  b%a(1,2) = x(1)
  b%row => b%a(i,:)
  q => b%a(1:,i)
 end if
end do
end subroutine
end module
