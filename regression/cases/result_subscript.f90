module m
  implicit none
contains
  pure function g(u,v) result(r)
    real(8), intent(in) :: u, v
    real(8) :: r
    r = 0.5d0*u + v**2
  end function g
  pure function c(u) result(r)
    real(8), intent(in) :: u
    real(8) :: r
    r = 1d0 + 0.1d0*u
  end function c
  ! The index array is needed for the adjoint of the function's result alone.
  subroutine f(n,x,y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: idx(n), i
    do i=1,n
      idx(i) = mod(3*i,n) + 1
    end do
    y = x
    do i=1,n,2
      y(idx(i)) = g(0.3d0,x(i))
    end do
    y(2) = c(0.5d0)
  end subroutine f
end module m
