! head: f1(y)/(x, y)
! head: f2(y)/(x, y)
! head: f3(y)/(x, y)
! head: f5(y)/(x, y)
! size: n=13
! threads: 4
! Procedures that work on elements from one of their arguments to another one, of arrays that they get whole.
module m
  implicit none
contains
  ! conditional assignment: hi may be beyond the array
  subroutine cond(x, y, lo, hi, n)
    integer, intent(in) :: lo, hi, n
    real(8), intent(in) :: x(:)
    real(8), intent(inout) :: y(:)
    integer :: i
    do i = lo, hi
      if (i <= n) y(i) = sin(y(i))*x(i)
    end do
  end subroutine
  subroutine f1(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: lo
    !$omp parallel do
    do lo = 1, n, 5
      call cond(x, y, lo, lo+4, n)
    end do
  end subroutine
  ! steps that leave out elements, and end before hi
  subroutine stepped(x, y, lo, hi)
    integer, intent(in) :: lo, hi
    real(8), intent(in) :: x(:)
    real(8), intent(inout) :: y(:)
    integer :: i
    do i = lo, hi, 2
      y(i) = y(i)**2*x(i)
    end do
    do i = hi, lo, -1
      y(i) = y(i)*x(i)
    end do
  end subroutine
  subroutine f2(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: lo
    do lo = 1, n - 3, 4
      call stepped(x, y, lo, lo+3)
      call stepped(x, y, lo+1, lo+2)
    end do
  end subroutine
  ! exits
  subroutine leaves(x, y, lo, hi)
    integer, intent(in) :: lo, hi
    real(8), intent(in) :: x(:)
    real(8), intent(inout) :: y(:)
    integer :: i
    do i = lo, hi
      if (i > size(y)) exit
      y(i) = y(i)**2*x(i)
    end do
  end subroutine
  subroutine f3(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: lo
    do lo = 1, n, 4
      call leaves(x, y, lo, lo+9)
    end do
  end subroutine
  ! the limits change inside; the counter is used behind the loop
  subroutine moving(x, y, lo, hi)
    integer, intent(in) :: lo
    integer, intent(inout) :: hi
    real(8), intent(in) :: x(:)
    real(8), intent(inout) :: y(:)
    integer :: i
    do i = lo, hi
      y(i) = y(i)**2*x(i)
    end do
    if (i <= size(y)) y(i) = y(i)*x(lo)
    hi = min(hi + 1, size(y))
    do i = lo, hi
      y(i) = y(i)*x(i)
    end do
  end subroutine
  subroutine f5(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: lo, hi
    do lo = 1, n, 3
      hi = min(lo + 1, n)
      call moving(x, y, lo, hi)
    end do
  end subroutine
end module
