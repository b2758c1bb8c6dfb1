! head: m::cols(y)/(t)
! A directive that has no effect on the derivative; a warning says so.
module m
  implicit none
contains
  subroutine cols(n, nk, t, y)
    integer, intent(in) :: n, nk
    real(8), intent(in) :: t(n, nk)
    real(8), intent(out) :: y(n)
    real(8) :: c(nk)
    integer :: i, k
!$AD II-LOOP
    do i = 1, n
      do k = 1, nk
        c(k) = t(i, k)**2
      end do
      do k = 2, nk
        c(k) = c(k)*sin(c(k-1))
      end do
      y(i) = c(nk)
    end do
  end subroutine cols
end module m
