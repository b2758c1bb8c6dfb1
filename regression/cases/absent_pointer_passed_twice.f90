! A pointer without target is passed twice, once for an optional dummy.
! head: m::f(y)/(x)
! refused: C0410 at 23
module m
  implicit none
contains
  subroutine g(v,p,q)
    real(8), intent(inout) :: v
    real(8), pointer, intent(in) :: p
    real(8), intent(in), optional :: q
    if(associated(p)) v=v*p
    if(present(q)) v=v+q**2
    v=v*v
  end subroutine
  subroutine f(x,y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(1)
    real(8), target :: t
    real(8), pointer :: p
    t=x(2)
    p=>t
    y(1)=x(1)
    call g(y(1),p,p)
    p=>null()
    call g(y(1),p,p)
  end subroutine
end module
