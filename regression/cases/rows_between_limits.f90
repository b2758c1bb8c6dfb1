! head: f4(t)/(t, q)
! size: t=5,7
! size: q=5,7
! size: n=2
! Rows and columns between limits, which may be none, far outside the array.
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
  ! no iterations at all; empty ranges far outside
  subroutine rows(t, q, js, je, is, ie)
    real(8), intent(inout) :: t(0:,:)
    real(8), intent(in) :: q(:,:)
    integer, intent(in) :: js, je, is, ie
    integer :: i, j
    do j = js, je
      do i = is, ie
        t(i-1,j) = t(i-1,j)*q(i,j) + t(is-1,js)**2
      end do
    end do
  end subroutine
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
  ! no iterations at all; empty ranges far outside
  subroutine rows(t, q, js, je, is, ie)
    real(8), intent(inout) :: t(0:,:)
    real(8), intent(in) :: q(:,:)
    integer, intent(in) :: js, je, is, ie
    integer :: i, j
    do j = js, je
      do i = is, ie
        t(i-1,j) = t(i-1,j)*q(i,j) + t(is-1,js)**2
      end do
    end do
  end subroutine
  subroutine f4(t, q, n)
    real(8), intent(inout) :: t(:,:)
    real(8), intent(in) :: q(:,:)
    integer, intent(in) :: n
    integer :: ib
    do ib = 0, n
      call rows(t, q, 1 + 3*ib, min(3*ib+3, size(t,2)), 1, size(t,1))
      call rows(t, q, 100, 50, 1, size(t,1))
      call rows(t, q, 1 + 3*ib, min(3*ib+3, size(t,2)), 40, 30)
      call rows(t, q, 1, 1, 2, 3)
    end do
  end subroutine
end module
