! A function returns an object with memory that it allocates, in a loop, with a return before its end.
! head: m::f(y)/(x)
! size: n=4
module m
  implicit none
  type node
    real(8) :: v
    real(8), pointer :: w(:) => null()
  end type
contains
  function make(n,x) result(g)
    integer, intent(in) :: n
    real(8), intent(in) :: x(:)
    type(node) :: g
    allocate(g%w(0:n-1))
    g%w=x(1:n)
    g%v=sum(x)
    if (n<2) return
    g%v=g%v*2
  end function
  subroutine f(n,x,y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(2)
    type(node) :: g
    integer :: k
    y=0
    do k=1,3
      g=make(k,x**k)
      y(1)=y(1)+sum(g%w)*g%v
      y(2)=y(2)+g%w(0)*y(1)
      deallocate(g%w)
    end do
  end subroutine
end module
