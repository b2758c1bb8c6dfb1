! head: f(y)/(x,a)
! size: n=5
! refused: C0404 at 11
! An integer stands before reals in a common block that two procedures lay out differently: compilers align the reals, unless an
! `equivalence` says where they are, as one for both layouts would.
subroutine f(n, x, a, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), a(2)
  real(8), intent(out) :: y(n)
  integer :: steps, i
  real(8) :: rate, drag
  common /law/ steps, rate, drag
  steps = 2
  rate = a(1)
  drag = a(2)
  do i = 1, n
    call g(x(i), y(i))
  end do
end subroutine f

subroutine g(u, v)
  implicit none
  real(8), intent(in) :: u
  real(8), intent(out) :: v
  integer :: steps
  real(8) :: c(2)
  common /law/ steps, c
  v = u*c(1) + c(2)**steps
end subroutine g
