! head: divided(y)/(x)
! refused: C0415 at 27
! A procedure that leaves one part of an array up to date on the host only, and the rest on the device only.
module left_in_parts
  implicit none
contains
  subroutine edge(n, u)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    integer :: i
    !$acc parallel loop present(u)
    do i = 1, n
      u(i) = sin(u(i))*u(i)
    end do
    !$acc update self(u(1:1))
    u(1) = u(1)**2
  end subroutine edge

  subroutine divided(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n)
    integer :: i
    a = x
    !$acc data copy(a)
    call edge(n, a)
    !$acc update device(a(1:1))
    !$acc parallel loop
    do i = 1, n
      a(i) = a(i)**2
    end do
    !$acc end data
    y = a
  end subroutine divided
end module left_in_parts
