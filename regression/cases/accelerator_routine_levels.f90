! head: f(r)/(t, p)
! head: g(t, s)/(t, q)
! head: h(b)/(a, w)
! size: n=7 m=5
! acc: host
! Routines whose loops a device shares out among the workers and vectors of the gangs that call them.
module routines
  implicit none
contains
  subroutine state(t, p, r)
    !$acc routine seq
    real(8), intent(in) :: t, p
    real(8), intent(out) :: r
    r = (1.2d0 - 0.2d0*t + 0.05d0*t*t)*(1 + 0.1d0*p)/(1 + 0.02d0*t*p)
  end subroutine
  subroutine column(n, t, p, r)
    !$acc routine vector
    integer, intent(in) :: n
    real(8), intent(in) :: t(n), p(n)
    real(8), intent(out) :: r(n)
    integer :: k
    !$acc loop vector
    do k = 1, n
      call state(t(k), p(k), r(k))
    end do
  end subroutine
  subroutine f(n, m, t, p, r)
    integer, intent(in) :: n, m
    real(8), intent(in) :: t(n,m), p(n,m)
    real(8), intent(out) :: r(n,m)
    integer :: j
    !$acc parallel loop gang copyin(t, p) copyout(r)
    do j = 1, m
      call column(n, t(:,j), p(:,j), r(:,j))
    end do
  end subroutine
  ! A value of the gang, and a sum.
  subroutine levels(n, t, q, s)
    !$acc routine worker
    integer, intent(in) :: n
    real(8), intent(inout) :: t(n)
    real(8), intent(in) :: q
    real(8), intent(inout) :: s
    integer :: k
    !$acc loop worker vector reduction(+:s)
    do k = 1, n
      s = s + t(k)**2*q
    end do
    !$acc loop worker
    do k = 1, n
      t(k) = t(k)*q + q
    end do
  end subroutine
  subroutine g(n, m, t, q, s)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: t(n,m), s(m)
    real(8), intent(in) :: q(m)
    integer :: j
    s = 0
    !$acc parallel loop gang copy(t, s) copyin(q)
    do j = 1, m
      call levels(n, t(:,j), q(j), s(j))
    end do
  end subroutine
  ! All gangs read the same values, and neighbours meet.
  subroutine smooth(n, a, w, b)
    !$acc routine vector
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), w(3)
    real(8), intent(inout) :: b(n)
    integer :: k
    !$acc loop vector
    do k = 2, n - 1
      b(k) = w(1)*a(k-1)*a(k) + w(2)*a(k) + w(3)*a(k+1)
    end do
  end subroutine
  subroutine h(n, m, a, w, b)
    integer, intent(in) :: n, m
    real(8), intent(in) :: a(n,m), w(3)
    real(8), intent(inout) :: b(n,m)
    integer :: j
    b = 0
    !$acc parallel loop gang copyin(a, w) copy(b)
    do j = 1, m
      call smooth(n, a(:,j), w, b(:,j))
    end do
  end subroutine
end module
