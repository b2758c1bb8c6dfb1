! head: m::f(y)/(x)
! size: n=5 nz=4
! a radiation solver looks at a column of the state, or at a local one, through a pointer
module m
  implicit none
contains
  subroutine f(n, nz, x, y)
    integer, intent(in) :: n, nz
    real(8), intent(in), target :: x(nz,n)
    real(8), intent(out) :: y(n)
    real(8), target :: local(nz)
    real(8), pointer :: p(:)
    real(8) :: s
    integer :: i, k
    do i = 1, n
      if (mod(i,2) == 0) then
        p => x(:,i)
      else
        local = x(:,i)*x(1,i)
        p => local
      end if
      s = 0
      do k = 1, nz
        s = s + p(k)**2*sin(p(k))
      end do
      y(i) = s*exp(-p(1))
    end do
  end subroutine f
end module m
