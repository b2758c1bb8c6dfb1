! Array expressions are passed to a procedure that allocates what its output points to.
! head: m::f(y)/(x)
! size: n=4
module m
  implicit none
  type grid
    integer :: n=0
    real(8), pointer :: dx(:)=>null(), z(:)=>null()
  end type
contains
  subroutine setup(g,a,h)
    type(grid), intent(out) :: g
    real(8), intent(in) :: a(:),h
    g%n=size(a)
    allocate(g%dx(g%n),g%z(0:g%n))
    g%dx=a*h
    g%z(0)=0
    g%z(1:)=a**2
  end subroutine
  subroutine work(x,y)
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: y(2)
    type(grid) :: g,q
    call setup(g,x(2:)*x(1),x(1)+1)
    call setup(q,sin(g%dx),g%z(1))
    y(1)=sum(q%dx*g%dx)
    y(2)=q%z(1)*g%z(2)
    deallocate(g%dx,g%z,q%dx,q%z)
  end subroutine
  subroutine f(n,x,y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(2)
    real(8) :: z(2)
    call work(x,y)
    call work(x(n:1:-1),z)
    y=y*z
  end subroutine
end module
