module m
  implicit none
contains
  ! Elements that an iteration of the backward sweep computes again and uses at once (c, d) beside others of the same
  ! array, and one that the next iteration uses (w). With one level no element of c is overwritten.
  subroutine f(n,nk,u,x,y)
    integer, intent(in) :: n, nk
    real(8), intent(in) :: u(n,nk)
    real(8), intent(inout) :: x(n,nk)
    real(8), intent(out) :: y(n,nk)
    real(8) :: c(n,nk), d(n,nk), below(n), w(0:n), a, b, r
    integer :: i, k
    do i = 1, n
      b = 3d0 + u(i,1)
      c(i,1) = u(i,1)*u(i,1)
      d(i,1) = x(i,1) + c(i,1)
      c(i,1) = c(i,1)/b
      d(i,1) = d(i,1)/b
    end do
    do k = 2, nk-1
      w(0) = u(1,k)
      do i = 1, n
        a = 0.3d0*(u(i,k-1) + u(i,k))
        c(i,k) = a*u(i,k)
        r = 1d0/(3d0 - c(i,k) - c(i,k-1)*a)
        d(i,k) = x(i,k) + w(i-1)*c(i,k)
        w(i) = sin(d(i,k))
        c(i,k) = c(i,k)*r
        d(i,k) = (d(i,k) - d(i,k-1)*a)*r
      end do
    end do
    do i = 1, n
      a = 0.3d0*(u(i,nk) + u(i,max(1,nk-1)))
      below(i) = (x(i,nk) - d(i,max(1,nk-1))*a)/(3d0 - c(i,max(1,nk-1))*a)
      y(i,nk) = below(i)**2
    end do
    do k = nk-1, 1, -1
      do i = 1, n
        below(i) = d(i,k) - c(i,k)*below(i)
        x(i,k) = 2d0*(below(i) - u(i,k))
        y(i,k) = x(i,k)*below(i)
      end do
    end do
  end subroutine f
end module m
