! head: m::f(j)/(p)
! size: n=7
! link: -llapack -lblas
! A fixed point around a solver of LAPACK.
module m
  implicit none
contains
  subroutine f(n, p, j)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n)
    real(8), intent(out) :: j
    real(8) :: u(n), v(n), err
    integer :: i, it
    real(8) :: dl(n-1), d(n), du(n-1), b(n)
    integer :: info
    external :: dgtsv
    u = 1.0d0
    !$ad fixed-point
    do it = 1, 500
      v = u
      do i = 1, n-1
        dl(i) = -(0.3d0 + u(i)**2)**(-0.3d0)
        du(i) = dl(i)
      end do
      d = 2.5d0 + p**2
      b = 1.0d0 + p
      call dgtsv(n, 1, dl, d, du, b, n, info)
      u = b
      if (maxval(abs(u - v)) < 1.0d-15) exit
    end do
    j = sum(u**2)
  end subroutine f

end module m
