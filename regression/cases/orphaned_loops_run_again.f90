! head: f(y)/(x)
! head: g(u)/(u, dt)
! head: h(y, s)/(x)
! head: k(y)/(x)
! head: l(y)/(x)
! size: n=8
! threads: 4
! Procedures that share out loops among the threads that call them, and that run again for adjoints.
module m
  implicit none
contains
  subroutine stage1(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i
    !$omp do
    do i = 1, n
      y(i) = x(i)**2
    end do
    !$omp end do
  end subroutine
  subroutine stage2(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i
    !$omp do
    do i = 1, n
      y(i) = y(i)*cos(x(i)*y(i))
    end do
    !$omp end do
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    !$omp parallel
    call stage1(n, x, y)
    call stage2(n, x, y)
    call stage2(n, x, y)
    !$omp end parallel
  end subroutine
  subroutine rhs(n, u, r)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: r(n)
    integer :: i, im, ip
    !$omp do private(im, ip)
    do i = 1, n
      im = i - 1
      if (im < 1) im = n
      ip = i + 1
      if (ip > n) ip = 1
      r(i) = -u(i)*(u(ip) - u(im))/2
    end do
    !$omp end do
  end subroutine
  ! Called by all threads, and calling for them.
  subroutine step(n, dt, u, r)
    integer, intent(in) :: n
    real(8), intent(in) :: dt
    real(8), intent(inout) :: u(n), r(n)
    integer :: i
    call rhs(n, u, r)
    !$omp do
    do i = 1, n
      u(i) = u(i) + dt*r(i)*u(i)
    end do
    !$omp end do
  end subroutine
  subroutine g(n, dt, u)
    integer, intent(in) :: n
    real(8), intent(in) :: dt
    real(8), intent(inout) :: u(n)
    real(8) :: r(n)
    integer :: t
    !$omp parallel private(t) shared(u, r)
    do t = 1, 3
      call step(n, dt, u, r)
    end do
    !$omp end parallel
  end subroutine
  ! What each thread has of its own is passed on, and one thread calls alone.
  subroutine part(n, x, y, w)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8), intent(out) :: w
    integer :: i
    w = x(1)
    !$omp do
    do i = 1, n
      y(i) = x(i)**2 + w
    end do
    !$omp end do
    w = w*2
  end subroutine
  subroutine h(n, x, y, s)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n), s
    real(8) :: w
    integer :: i
    s = 0
    !$omp parallel private(w)
    call part(n, x, y, w)
    !$omp do reduction(+:s)
    do i = 1, n
      s = s + y(i)*w*y(i)
    end do
    !$omp end do
    !$omp single
    call alone(n, y)
    !$omp end single
    !$omp end parallel
  end subroutine
  subroutine alone(n, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: y(n)
    integer :: i
    do i = 2, n
      y(i) = y(i)*y(i-1)
    end do
  end subroutine
  subroutine mean(n, x, a)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: a
    integer :: i
    !$omp single
    a = 0
    !$omp end single
    !$omp do reduction(+:a)
    do i = 1, n
      a = a + x(i)**2/n
    end do
    !$omp end do
  end subroutine
  subroutine k(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a
    integer :: i
    !$omp parallel shared(a)
    call mean(n, x, a)
    !$omp do
    do i = 1, n
      y(i) = a*x(i)*sin(a)
    end do
    !$omp end do
    !$omp end parallel
  end subroutine
  ! Called several times by a procedure that all threads call: its adjoint has regions of its own.
  subroutine several(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: j
    do j = 1, 3
      call stage2(n, x, y)
    end do
    call stage2(n, x, y)
  end subroutine
  subroutine l(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    y = x
    !$omp parallel
    call several(n, x, y)
    !$omp end parallel
  end subroutine
end module
