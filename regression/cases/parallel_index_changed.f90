! head: m::f(y)/(x)
! size: n=12
! threads: 4
! An index that a call changes after another one has been computed from it.
module m
  implicit none
contains
  pure subroutine start(i, k)
    integer, intent(in) :: i
    integer, intent(out) :: k
    k = i
  end subroutine
  pure subroutine bump(k)
    integer, intent(inout) :: k
    k = k + 1
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(2*n)
    real(8), intent(out) :: y(n)
    integer :: i, p, q
    !$omp parallel do private(p, q)
    do i = 1, n
      call start(i, q)
      p = q + 1
      call bump(q)
      y(i) = x(p)**2 + x(q)
    end do
  end subroutine
end module m
