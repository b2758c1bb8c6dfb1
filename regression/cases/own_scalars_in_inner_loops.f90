! Scalars that inner loops of constant bounds set for what follows them, in loops for gangs and vectors.
! head: m::f(y)/(x, y)
! size: n=6 m=5
! acc: host
module m
  implicit none
contains
  subroutine f(n, m, x, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n, m)
    real(8), intent(inout) :: y(n, m)
    real(8) :: q, r
    integer :: i, j, k
    !$acc parallel loop gang
    do j = 1, m
      !$acc loop vector private(q)
      do i = 1, n
        do k = 1, 3
          q = x(i, j)**k
        end do
        y(i, j) = y(i, j)*q
      end do
    end do
    !$acc parallel loop gang private(r)
    do j = 1, m
      do k = 4, 2, -2
        r = x(1, j)*y(k, j)
        !$acc loop vector private(q)
        do i = 1, n
          q = r*x(i, j)
          y(i, j) = y(i, j) + 0.1d0*q*q
        end do
      end do
    end do
  end subroutine f
end module m
