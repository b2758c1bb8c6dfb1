! head: open(y)/(x)
! refused: C0415 at 29
! A procedure that works on one part of an array on the host and on another one on the device, where a directive has put it there.
module left_open
  implicit none
contains
  subroutine both(n, u)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    integer :: i, m
    m = (n + 1)/2
    u(m+1:n) = 0.6d0*u(m+1:n)**2
    !$acc update device(u(1:m))
    !$acc parallel loop
    do i = 1, m
      u(i) = 0.3d0*u(i)**2 + 0.4d0*u(i)
    end do
  end subroutine both

  subroutine open(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n)
    integer :: m
    m = (n + 1)/2
    a = x
    !$acc enter data copyin(a)
    call both(n, a)
    !$acc update self(a(1:m))
    !$acc exit data delete(a)
    y = a**2
  end subroutine open
end module left_open
