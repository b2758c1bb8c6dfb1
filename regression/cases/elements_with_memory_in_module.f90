! The pointers of the elements of a module's arrays get memory in loops, and the arrays are freed.
! head: m::f(y)/(x)
module ms
  implicit none
  type grid
    integer :: n=0
    real(8), pointer :: dx(:)=>null()
  end type
  type block
    type(grid) :: g(2,2)
  end type
  type(block), allocatable :: bl(:)
end module
module m
  use ms
  implicit none
contains
  subroutine f(x,y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(2)
    integer :: i,j,k
    allocate(bl(2))
    do k=1,2
      do i=1,2
        do j=1,2
          allocate(bl(k)%g(i,j)%dx(3))
          bl(k)%g(i,j)%dx=x*k+i*j
        end do
      end do
    end do
    y(1)=sum(bl(1)%g(1,2)%dx)*bl(2)%g(2,2)%dx(1)
    y(2)=bl(1)%g(1,1)%dx(3)**2
    do k=1,2
      do i=1,2
        do j=1,2
          deallocate(bl(k)%g(i,j)%dx)
        end do
      end do
    end do
    deallocate(bl)
  end subroutine
end module
