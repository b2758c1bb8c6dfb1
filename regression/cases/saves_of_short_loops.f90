! head: a(x, v)/(x, v, k)
! head: b(x)/(x, c)
! head: c(x, y)/(x, y)
! size: n=7 nt=5
! value: nt=5
! acc: host
! On a device: loops inside an iteration whose number of steps isn't known there keep what they overwrite in arrays that have
! their memory before the loop, an element for each iteration.
module m
  implicit none
contains
  subroutine a(x, v, k, n, nt)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: k
    real(8), intent(inout) :: x(n), v(n)
    integer :: i, it
    real(8) :: f
    !$acc parallel loop private(f, it) copy(x, v)
    do i = 1, n
      !$acc loop seq
      do it = 1, min(nt, 4)
        f = -k*x(i) - v(i)*abs(v(i))
        v(i) = v(i) + 0.1d0*f
        x(i) = x(i) + 0.1d0*v(i)
      end do
    end do
  end subroutine
  ! Twice in an iteration, without steps, and in a time loop around.
  subroutine b(x, c, n, nt)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: c(n)
    real(8), intent(inout) :: x(n)
    integer :: i, k, step
    do step = 1, 2
      !$omp target teams distribute parallel do map(tofrom: x) map(to: c) private(k)
      do i = n, 1, -1
        do k = 1, nt - 3
          x(i) = sin(x(i))*c(i)
        end do
        do k = nt + 1, nt
          x(i) = x(i)**2
        end do
        do k = min(2, nt), max(1, nt/3)
          x(i) = x(i)*cos(x(i))
        end do
      end do
    end do
  end subroutine
  ! The number of steps is each iteration's own.
  subroutine c(x, y, n, nt)
    integer, intent(in) :: n, nt
    real(8), intent(inout) :: x(n), y(n)
    integer :: i, k
    !$acc parallel loop copy(x, y)
    do i = 1, n
      do k = 1, mod(i, 3) + nt/5
        x(i) = sin(x(i))*y(i)
      end do
      y(i) = y(i)*x(i)
    end do
  end subroutine
end module
