! head: m::f(j)/(p)
! size: n=7
! Each iteration allocates a work array and frees it.
module m
  implicit none
contains
  subroutine f(n, p, j)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n)
    real(8), intent(out) :: j
    real(8), allocatable :: u(:), w(:)
    real(8) :: err
    allocate(u(n))
    u = 0.0d0
    err = 1.0d0
    !$ad fixed-point
    do while (err > 1.0d-15)
      allocate(w(n))
      w = 0.3d0*sin(u) + p*u(1) + 0.5d0
      err = maxval(abs(w - u))
      u = w
      deallocate(w)
    end do
    j = sum(u**2)
  end subroutine f

end module m
