! The pointers of the elements of a module's array are associated one by one.
! head: m::f(y)/(x)
module ms
  implicit none
  type grid
    real(8), pointer :: dx(:)=>null()
    real(8), pointer :: s=>null()
  end type
  type(grid) :: g(0:2)
  real(8), target :: a(3),b(3)
end module
module m
  use ms
  implicit none
contains
  subroutine f(x,y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(2)
    integer :: k
    a=x
    b=x**2
    g(0)%dx=>a
    g(2)%dx=>b(3:1:-1)
    g(1)%dx=>g(2)%dx
    g(1)%s=>a(2)
    do k=0,2
      g(k)%dx=g(k)%dx*g(1)%s
    end do
    y(1)=sum(a)
    y(2)=sum(b)+g(1)%dx(1)
  end subroutine
end module
