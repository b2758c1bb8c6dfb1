! head: a(q)/(q, edge)
! head: b(q, s)/(q, edge)
! head: c(q, total)/(q, edge)
! head: d(q)/(q, edge)
! head: e(q, s)/(q, edge)
! size: n=6
! value: nt=3
! acc: host
! Regions of one thread of a device, between loops that it shares out: elements there stay on the device.
module m
  implicit none
  real(8) :: level(2) = [0.7d0, 1.1d0]
contains
  ! Boundaries in time steps; the host has no part in them.
  subroutine a(n, nt, q, edge)
    integer, intent(in) :: n, nt
    real(8), intent(inout) :: q(n)
    real(8), intent(in) :: edge(2)
    real(8) :: flux(n+1)
    integer :: i, it
    !$acc data copy(q) copyin(edge) create(flux)
    do it = 1, nt
      !$acc parallel loop
      do i = 2, n
        flux(i) = 0.25d0*(q(i-1)**2 + q(i)**2)
      end do
      !$acc serial
      flux(1) = 0.25d0*(edge(1)**2 + q(1)**2)
      flux(n+1) = 0.25d0*(q(n)**2 + edge(2)**2)
      !$acc end serial
      !$acc parallel loop
      do i = 1, n
        q(i) = q(i) - 0.2d0*(flux(i+1) - flux(i))
      end do
    end do
    !$acc end data
  end subroutine
  ! In a branch, overwriting what it read, and with an array that the host uses in a loop, too.
  subroutine b(n, nt, q, edge, s)
    integer, intent(in) :: n, nt
    real(8), intent(inout) :: q(n)
    real(8), intent(in) :: edge(2)
    real(8), intent(out) :: s(n)
    integer :: i, it
    s = 0
    !$acc data copy(q) copyin(edge)
    do it = 1, nt
      !$acc parallel loop
      do i = 2, n - 1
        q(i) = q(i)*(1 + 0.1d0*q(i)*edge(2))
      end do
      if (mod(it, 2) == 1) then
        !$acc serial
        q(1) = q(1)*q(2)
        q(n) = q(1)*edge(1) + q(n)**2
        !$acc end serial
      end if
      !$acc update self(q)
      do i = 2, n
        s(i) = s(i-1)*q(i) + q(1)
      end do
    end do
    !$acc end data
  end subroutine
  ! Numbers that it leaves, a loop inside, arrays of modules.
  subroutine c(n, q, edge, total)
    integer, intent(in) :: n
    real(8), intent(inout) :: q(n)
    real(8), intent(in) :: edge(2)
    real(8), intent(out) :: total
    real(8) :: w(n)
    integer :: i
    !$acc data copy(q) copyin(edge, level) create(w)
    !$acc parallel loop
    do i = 1, n
      w(i) = q(i)**2*level(1)
    end do
    total = 0
    !$acc serial copy(total)
    w(1) = w(1)*level(2)*edge(1)
    do i = 2, n
      w(i) = w(i) + 0.5d0*w(i-1)
    end do
    total = w(n)*edge(2)
    !$acc end serial
    !$acc parallel loop
    do i = 1, n
      q(i) = q(i)*w(i)*total
    end do
    !$acc end data
  end subroutine
  ! A loop that one thread runs, and elements whose places are computed on the host.
  subroutine d(n, q, edge)
    integer, intent(in) :: n
    real(8), intent(inout) :: q(n)
    real(8), intent(in) :: edge(2)
    integer :: i, k
    !$acc data copy(q) copyin(edge)
    !$acc parallel loop
    do i = 1, n
      q(i) = sin(q(i))
    end do
    do k = 1, 2
      !$acc serial
      q(2*k) = q(2*k)*edge(k) + q(k)
      !$acc end serial
    end do
    !$acc serial loop
    do i = 2, n
      q(i) = q(i)*q(i-1)
    end do
    !$acc parallel loop
    do i = 1, n
      q(i) = q(i)*edge(1)
    end do
    !$acc end data
  end subroutine
  ! Nothing else on the device.
  subroutine e(n, q, edge, s)
    integer, intent(in) :: n
    real(8), intent(inout) :: q(n)
    real(8), intent(in) :: edge(2)
    real(8), intent(out) :: s
    integer :: i
    !$acc serial copy(q) copyin(edge) copyout(s)
    s = 0
    do i = 2, n
      q(i) = 0.5d0*q(i-1)*edge(1) + q(i)**2
      if (q(i) > 0.3d0) s = s + q(i)
    end do
    q(1) = q(1)*edge(2)
    !$acc end serial
  end subroutine
end module
