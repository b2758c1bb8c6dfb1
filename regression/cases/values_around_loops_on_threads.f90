! head: m::both(y, s)/(x)
! head: m::elements(y, s)/(x)
! head: m::through_call(y)/(x)
! size: n=6
! threads: 4
! Variables with a value before a loop and another one behind it, scalars and elements of arrays; names of `associate` in the
! loop of a procedure that the head calls.
module m
  implicit none
contains
  subroutine both(n, x, y, s)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n), s
    integer :: j
    real(8) :: q
    q = x(1)
    !$omp parallel do firstprivate(q) lastprivate(q)
    do j = 1, n
      y(j) = q*x(j)
      if (j == n) q = x(2)**2
    end do
    s = q
  end subroutine
  subroutine elements(n, x, y, s)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n), s
    integer :: j
    real(8) :: g(2), w(2)
    g(1) = x(1)
    g(2) = x(2)
    w(1) = x(3)
    w(2) = x(2)*x(1)
    !$omp parallel do lastprivate(g) private(w)
    do j = 1, n
      w(1) = x(j)**2
      w(2) = w(1)*x(j)
      g(1) = 2*x(j)
      g(2) = g(1)**2 + w(2)
      y(j) = g(1)*g(2)
    end do
    s = g(1) + g(2)*(w(1) - w(2))
  end subroutine
  subroutine through_call(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    call squares(n, x, y)
  end subroutine
  subroutine squares(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: j
    !$omp parallel do
    do j = 1, n
      associate (c => x(j))
        y(j) = c**2
      end associate
    end do
  end subroutine
end module
