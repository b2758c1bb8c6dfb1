! head: a(u)/(u0, c)
! head: b(u)/(u0, c)
! head: d(u)/(u0, c)
! head: e(u)/(u0, c)
! size: n=8
! value: nt=5
! threads: 4
! Time levels that pointers stand for and that change places between loops that are shared out: which of them are never the
! same memory is known, or isn't.
module m
  implicit none
contains
  ! Three levels take turns.
  subroutine a(n, nt, u0, c, u)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: u0(n), c(n)
    real(8), intent(out) :: u(n)
    real(8), target :: w1(n), w2(n), w3(n)
    real(8), pointer :: um(:), uc(:), up(:), tmp(:)
    integer :: i, it
    w1 = u0
    w2 = u0
    w3 = u0
    um => w1
    uc => w2
    up => w3
    do it = 1, nt
      !$omp parallel do
      do i = 2, n - 1
        up(i) = 2*uc(i) - um(i) + 0.2d0*c(i)**2*(uc(i+1) - 2*uc(i) + uc(i-1))
      end do
      tmp => um
      um => uc
      uc => up
      up => tmp
    end do
    u = uc
  end subroutine
  ! Two levels with memory of their own, which change places under a condition.
  subroutine b(n, nt, u0, c, u)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: u0(n), c(n)
    real(8), intent(out) :: u(n)
    real(8), pointer :: old(:), new(:), tmp(:)
    integer :: i, it
    allocate(old(n))
    allocate(new(n))
    old = u0
    new = u0
    do it = 1, nt
      !$omp parallel do
      do i = 2, n - 1
        new(i) = sin(old(i-1)) + c(i)*old(i) - 0.3d0*old(i+1)**2
      end do
      if (mod(it, 3) /= 0) then
        tmp => old
        old => new
        new => tmp
      end if
    end do
    u = old*new
    deallocate(old, new)
  end subroutine
  ! Two names of one level at first.
  subroutine d(n, nt, u0, c, u)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: u0(n), c(n)
    real(8), intent(out) :: u(n)
    real(8), target :: w1(n), w2(n)
    real(8), pointer :: um(:), uc(:), up(:)
    integer :: i, it
    w1 = u0
    w2 = u0
    um => w1
    uc => w1
    up => w2
    do it = 1, nt
      !$omp parallel do
      do i = 2, n - 1
        up(i) = 0.5d0*uc(i+1)*c(i) + um(i-1)*um(i)
      end do
      if (it == 2) then
        uc => w2
        um => w2
        up => w1
      end if
    end do
    u = uc + up
  end subroutine
  ! Parts of one array.
  subroutine e(n, nt, u0, c, u)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: u0(n), c(n)
    real(8), intent(out) :: u(n)
    real(8), target :: w(3*n)
    real(8), pointer :: um(:), uc(:), up(:)
    integer :: i, it
    w = 0.5d0
    w(1:n) = u0
    um => w(1:n)
    uc => w(2:n+1)
    up => w(2*n+1:3*n)
    do it = 1, nt
      !$omp parallel do
      do i = 2, n - 1
        up(i) = up(i) + 0.5d0*uc(i)*c(i) + um(i)**2
      end do
    end do
    u = up
  end subroutine
end module
