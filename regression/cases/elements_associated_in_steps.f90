! Module arrays of objects with memory are made and freed in every step.
! head: m::f(y)/(x)
module ms
  implicit none
  type grid
    integer :: n=0
    real(8), pointer :: dx(:)=>null()
  end type
  type(grid), allocatable :: bl(:)
end module
module m
  use ms
  implicit none
contains
  subroutine f(x,y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(2)
    integer :: k,it
    y=1
    do it=1,3
      allocate(bl(2))
      do k=1,2
        allocate(bl(k)%dx(3))
        bl(k)%dx=x*k+y(1)
      end do
      y(1)=y(1)*0.1d0+sum(bl(1)%dx)*bl(2)%dx(1)
      y(2)=y(2)*bl(2)%dx(3)**2
      do k=1,2
        deallocate(bl(k)%dx)
      end do
      deallocate(bl)
    end do
  end subroutine
end module
