! A function returns a view of what it changes, or memory that it allocates.
! head: m::f(y)/(x)
! size: n=6
module m
  implicit none
contains
  function view(w,k,n) result(p)
    real(8), target, intent(inout) :: w(:)
    integer, intent(in) :: k,n
    real(8), pointer :: p(:)
    if (k>3) then
      allocate(p(n))
      p=1
      return
    end if
    w=w*w(k)
    p=>w(k:k+n-1)
  end function
  subroutine f(n,x,y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(2)
    real(8), pointer :: q(:)
    real(8), target :: w(6)
    integer :: k
    w=x
    y=0
    do k=1,5
      q=>view(w,k,2)
      q=q*y(1)+x(k)
      y(1)=y(1)+sum(q)*q(1)
      if (k>3) deallocate(q)
    end do
    y(2)=sum(w)
  end subroutine
end module
