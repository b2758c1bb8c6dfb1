! head: m::f(y)/(x)
! size: n=6
! radiation-like: conditional views, read-only tables behind pointers, module pointers
module m
implicit none
real(8), target :: table_a(4) = [1d0,2d0,3d0,4d0], table_b(4) = [2d0,1d0,0.5d0,0.25d0]
real(8), pointer :: tab(:) => null()
type flux
 real(8), pointer :: up(:,:) => null()
 real(8), pointer :: down(:) => null()
end type
contains
subroutine choose(k)
integer, intent(in) :: k
if (mod(k,2)==0) then
 tab => table_a
else
 tab => table_b
end if
end subroutine
subroutine layer(p, t, k)
real(8), intent(inout) :: p(:)
real(8), intent(in) :: t(:)
integer, intent(in) :: k
integer :: i
do i=1,size(p)
 p(i) = p(i)*exp(-0.1d0*tab(1+mod(i+k,4))*t(i)) + 0.01d0*t(i)**2
end do
end subroutine
subroutine f(n,x,y)
integer, intent(in) :: n
real(8), intent(in) :: x(n)
real(8), intent(out) :: y(n)
real(8), target :: full(n,3), local(n)
type(flux) :: fl
real(8), pointer :: p(:)
integer :: k
full = spread(x,2,3)
local = 1
allocate(fl%up(n,2))
fl%up = 0.5d0
fl%down => full(:,3)
do k=1,3
 call choose(k)
 if (k==2) then
  p => local
 else
  p => full(:,k)
 end if
 call layer(p, x, k)
 fl%up(:,1+mod(k,2)) = fl%up(:,1+mod(k,2)) + p
 fl%down = fl%down*1.1d0 + fl%up(:,1)*0.1d0
end do
y = full(:,1) + local*full(:,2) + fl%up(:,1)*fl%up(:,2) + fl%down
nullify(fl%up)
end subroutine
end module
