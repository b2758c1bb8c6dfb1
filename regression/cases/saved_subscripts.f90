! Elements that are saved by subscripts which change: to restore them, the subscripts must be what they were.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: a(n)
    integer :: i, j, k, idx(2)
    k = 1
    a = 0.3d0*x
    ! The adjoint of the increment is nothing but a restore.
    do i = 1, 3
      do j = 1, n/2
        k = n + 1 - k
        a(k) = a(k) + 0.1d0*j
      end do
      y = 0.3d0*y + cos(a)*a
    end do
    ! The call changes element and subscript.
    do i = 1, 2
      k = i
      call step(n, k, a(k))
      y = y*a + a(k)*sin(y)
      k = mod(k, n) + 1
    end do
    ! A subscript that is an element itself.
    idx = [2, 1]
    do i = 1, 3
      a(idx(1)) = a(idx(1)) + 0.2d0
      y = y*a
      idx(1) = mod(idx(1), n) + 1
      a(idx(2)) = a(idx(2)) - 0.1d0
      y = y + a*a
      idx(2) = 3
    end do
  end subroutine f

  subroutine step(n, k, e)
    integer, intent(in) :: n
    integer, intent(inout) :: k
    real(8), intent(inout) :: e
    e = e*e + 0.1d0*k
    k = mod(k + 1, n) + 1
  end subroutine step
end module m
