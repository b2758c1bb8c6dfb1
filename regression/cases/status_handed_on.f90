! An argument without memory is handed on as absent.
! head: m::f(y)/(x)
module m
  implicit none
contains
  subroutine h(v,o)
    real(8), intent(inout) :: v
    real(8), intent(in), optional :: o(:)
    call g(v,o)
  end subroutine
  subroutine g(v,o)
    real(8), intent(inout) :: v
    real(8), intent(in), optional :: o(:)
    v=v**2
    if(present(o)) v=v*sum(o)
  end subroutine
  subroutine f(x,y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(1)
    real(8), allocatable :: a(:)
    integer :: k
    y(1)=x(1)
    do k=1,2
      allocate(a(k))
      a=x(1:k)*k
      call h(y(1),a)
      deallocate(a)
      call h(y(1),a)
    end do
    y(1)=y(1)*x(2)
  end subroutine
end module
