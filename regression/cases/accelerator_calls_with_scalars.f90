! head: m::f(y)/(x)
! size: n=30
! acc: host
! Routines that call routines, with loops and branches inside.
module m
  implicit none
contains
  pure real(8) function phi(r)
    !$acc routine seq
    real(8), intent(in) :: r
    if (r > 0) then
      phi = r/(1 + r)
    else
      phi = 0.5d0*r*r
    end if
  end function phi
  subroutine recon(a, b, c, l, r)
    !$acc routine seq
    real(8), intent(in) :: a, b, c
    real(8), intent(out) :: l, r
    real(8) :: s
    s = phi((b - a)*(c - b))
    l = b - 0.5d0*s*(b - a)
    r = b + 0.5d0*s*(c - b)
  end subroutine recon
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: l, r, fl(n)
    !$acc data copyin(x) create(fl) copyout(y)
    !$acc parallel loop
    do i = 1, n
      fl(i) = x(i)
      y(i) = x(i)
    end do
    !$acc parallel loop private(l, r)
    do i = 2, n - 1
      call recon(x(i - 1), x(i), x(i + 1), l, r)
      fl(i) = l*r
    end do
    !$acc parallel loop
    do i = 2, n - 1
      y(i) = x(i) - (fl(i + 1) - fl(i - 1))
    end do
    !$acc end data
  end subroutine f
end module m
