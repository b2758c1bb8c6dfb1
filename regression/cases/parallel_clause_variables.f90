! head: m::f(y)/(x)
! size: n=40
! threads: 4
! Variables in clauses about the work: they have values of their own where derivative code runs.
module m
  implicit none
contains
  pure subroutine column(k, a, b)
    integer, intent(in) :: k
    real(8), intent(in) :: a(k)
    real(8), intent(out) :: b
    integer :: i
    b = 0
    do i = 1, k
      b = b + a(i)**2
    end do
  end subroutine column
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n, n)
    real(8), intent(out) :: y(n)
    integer :: i, chunk, team
    logical :: large
    real(8) :: s
    chunk = 3
    team = 2
    large = n > 4
    !$omp parallel do schedule(static, chunk) num_threads(team) if(large) private(s)
    do i = 1, n
      call column(n, x(:, i), s)
      y(i) = sin(s)
    end do
    chunk = 0
    team = -1
    large = .false.
  end subroutine f
end module m
