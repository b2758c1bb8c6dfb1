! head: f4(t)/(t, q)
! size: t=5,7 q=5,7 n=2
! Rows and columns between limits, which may be none, far outside the array.
module m
  implicit none
contains
  ! no iterations at all; empty ranges far outside
  subroutine rows(t, q, js, je, is, ie)
    real(8), intent(inout) :: t(0:,:)
    real(8), intent(in) :: q(:,:)
    integer, intent(in) :: js, je, is, ie
    integer :: i, j
    do j = js, je
      do i = is, ie
        t(i-1,j) = t(i-1,j)*q(i,j) + t(is-1,js)**2
      end do
    end do
  end subroutine
  subroutine f4(t, q, n)
    real(8), intent(inout) :: t(:,:)
    real(8), intent(in) :: q(:,:)
    integer, intent(in) :: n
    integer :: ib
    do ib = 0, n
      call rows(t, q, 1 + 3*ib, min(3*ib+3, size(t,2)), 1, size(t,1))
      call rows(t, q, 100, 50, 1, size(t,1))
      call rows(t, q, 1 + 3*ib, min(3*ib+3, size(t,2)), 40, 30)
      call rows(t, q, 1, 1, 2, 3)
    end do
  end subroutine
end module
