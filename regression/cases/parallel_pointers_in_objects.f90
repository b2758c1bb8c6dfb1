! head: m::f(y)/(x)
! size: n=24
! threads: 4
! Objects whose pointers lead to one array, in a loop and in a procedure that it calls.
module m
  implicit none
  type t
    real(8), pointer :: p(:)
  end type t
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    type(t) :: q(n)
    real(8), target :: c(3)
    c = x(1:3)
    do i = 1, n
      q(i)%p => c
    end do
    !$omp parallel do
    do i = 1, n
      y(i) = q(i)%p(1)*x(i) + q(i)%p(2)
    end do
    !$omp parallel do
    do i = 1, n
      call scale(q(i), y(i))
    end do
  end subroutine f

  subroutine scale(a, r)
    type(t), intent(in) :: a
    real(8), intent(inout) :: r
    r = r*a%p(3) + a%p(1)**2
  end subroutine scale
end module m
