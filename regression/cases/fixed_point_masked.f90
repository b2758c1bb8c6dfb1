! head: m::f(j)/(p)
! size: n=7
! An iteration that leaves elements of the state alone by a mask.
module m
  implicit none
contains
  subroutine f(n, p, j)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n)
    real(8), intent(out) :: j
    real(8) :: u(n), v(n), err
    integer :: i, it
    logical :: land(n)
    u = p
    land = [(mod(i,3) == 0, i = 1, n)]
    err = 1.0d0
    !$ad fixed-point
    do while (err > 1.0d-15)
      v = u
      do i = 1, n
        if (land(i)) cycle
        u(i) = 0.3d0*sin(u(i)) + 0.2d0*v(min(i+1,n)) + p(i)
      end do
      err = maxval(abs(u - v))
    end do
    j = sum(u**2)
  end subroutine f

end module m
