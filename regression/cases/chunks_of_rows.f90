! head: b(t)/(t, q)
! head: c(t)/(t, q)
! size: t=4,12 q=4,12 nb=4
! threads: 4
! Loops over blocks of rows whose calls get the arrays whole and the limits of the block.
module m
  implicit none
contains
  subroutine rows(t, q, js, je)
    real(8), intent(inout) :: t(:,:)
    real(8), intent(in) :: q(:,:)
    integer, intent(in) :: js, je
    integer :: i, j
    do j = js, je
      do i = 2, size(t,1)
        t(i,j) = t(i,j)*q(i,j) + t(i-1,j)**2
      end do
    end do
  end subroutine
  subroutine b(t, q, nb)
    real(8), intent(inout) :: t(:,:)
    real(8), intent(in) :: q(:,:)
    integer, intent(in) :: nb
    integer :: ib, js, je
    !$omp parallel do private(js, je)
    do ib = 1, nb
      js = (ib-1)*3 + 1
      je = min(ib*3, size(t,2))
      call rows(t, q, js, je)
      call rows(t, q, js, je)
    end do
  end subroutine
  subroutine sines(t, js, je)
    real(8), intent(inout) :: t(:,:)
    integer, intent(in) :: js, je
    integer :: i, j
    do j = js, je
      do i = 1, size(t,1)
        t(i,j) = sin(t(i,j))
      end do
    end do
  end subroutine
  subroutine c(t, q, nb)
    real(8), intent(inout) :: t(:,:)
    real(8), intent(in) :: q(:,:)
    integer, intent(in) :: nb
    integer :: jb
    !$omp parallel do
    do jb = 1, 3*nb, 3
      call sines(t, jb, jb+2)
      call rows(t, q, jb, jb+2)
    end do
  end subroutine
end module
