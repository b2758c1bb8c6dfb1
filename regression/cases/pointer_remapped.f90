! head: m::f(y)/(x)
! size: n=4
! pointer with bounds remapping, rank change, function returning pointer, associated()
module m
implicit none
real(8), target, allocatable :: store(:)
contains
function view(i, n) result(p)
integer, intent(in) :: i, n
real(8), pointer :: p(:)
p => store(i:i+n-1)
end function
subroutine f(n,x,y)
integer, intent(in) :: n
real(8), intent(in) :: x(n)
real(8), intent(out) :: y(n)
real(8), pointer :: p(:), q(:,:), r(:)
integer :: i
allocate(store(2*n))
store(1:n) = x
store(n+1:) = x**2
q(0:1,1:n) => store
do i=1,n
 q(0,i) = q(0,i)*q(1,i)
end do
p => view(2,n)
nullify(r)
if (associated(p)) r => p(1:n:2)
r = r*sin(r)
if (associated(r, store(2:n+1:2))) r = 2*r
y = store(1:n)*store(n+1:)
deallocate(store)
end subroutine
end module
