! head: m::f(q)/(q,w)
! acc: host
! What is private in collapsed loops is each innermost iteration's own.
module m
  implicit none
contains
  subroutine f(q, nsp, w)
    integer, intent(in) :: nsp
    real(8), intent(inout) :: q(8,6,nsp)
    real(8), intent(in) :: w(nsp)
    integer :: i, j, l
    real(8) :: tot
    !$acc parallel loop gang worker collapse(2) private(tot) copy(q) copyin(w) default(present)
    do j = 1, 6
      do i = 1, 8
        tot = 0
        !$acc loop seq
        do l = 1, nsp
          tot = tot + w(l)*q(i,j,l)
        end do
        !$acc loop seq
        do l = 1, nsp
          q(i,j,l) = q(i,j,l)/tot
        end do
      end do
    end do
  end subroutine
end module
