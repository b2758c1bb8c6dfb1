! head: m::f(b,s)/(a)
! threads: 4
! Sections with array statements, behind derivatives that are zero at first.
module m
  implicit none
contains
  subroutine f(a, b, s)
    real(8), intent(in) :: a(30,4)
    real(8), intent(out) :: b(30,4), s(4)
    integer :: i
    !$omp parallel sections private(i)
    !$omp section
    do i = 1, 30
      b(i,1) = a(i,1)**2
    end do
    s(1) = sum(b(:,1))
    !$omp section
    do i = 2, 30
      b(i,2) = a(i,2)*a(i-1,2)
    end do
    b(1,2) = a(1,2)
    s(2) = sum(b(:,2)*a(:,1))
    !$omp section
    b(:,3:4) = sqrt(a(:,3:4))
    s(3:4) = b(1,3:4)
    !$omp end parallel sections
  end subroutine
end module
