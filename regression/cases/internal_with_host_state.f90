! head: f1(y)/(x)
! head: f3(y)/(x)
! head: f4(y)/(x)
! head: f5(y)/(x)
! head: f6(y)/(x)
! size: n=7
! threads: 4
! Internal procedures that compute with variables of their host, which these leave to each other and to the host, and call no
! other one inside it.
module m
  implicit none
contains
  ! host arrays and scalars changed and read by internal procedures in several calls
  subroutine f1(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: w(n), acc
    integer :: k, it
    w = x
    acc = 0.5d0
    do it = 1, 3
      k = it
      call step()
      acc = acc*sum(w)
    end do
    y = w*acc
  contains
    subroutine step()
      integer :: i
      real(8) :: t
      do i = 1, n
        t = w(i)*acc
        if (t > 0.2d0) then
          w(i) = t*t + x(max(i-k, 1))
        end if
        w(i) = sin(w(i))
      end do
      acc = acc + w(k)
      k = k + 1
    end subroutine
  end subroutine
  ! the host's variable as work array of the internal one
  subroutine f3(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: t(n)
    integer :: last
    last = n
    call a(1)
    last = max(n - 2, 1)
    call a(2)
  contains
    subroutine a(p)
      integer, intent(in) :: p
      integer :: i
      do i = 1, last
        t(i) = x(i)**p
        t(i) = t(i)*sin(t(i))
      end do
      if (p == 1) then
        y = 0
      end if
      do i = 1, last
        y(i) = y(i) + t(i)*t(last - i + 1)
        t(i) = t(i)*y(i)
        y(i) = y(i)*t(i)
      end do
    end subroutine
  end subroutine
  ! called in a loop of the host with its index, early return, saved variables
  subroutine f4(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: q(2), z
    integer :: j
    q = [0.3d0, 0.7d0]
    y = 0
    do j = 1, n
      z = x(j)
      call b
      y(j) = y(j) + q(1)*q(2)
    end do
  contains
    subroutine b
      real(8) :: r
      integer :: l
      r = z
      do l = 1, 3
        r = r*q(1) + z
        if (r > 2d0) return
        q(2) = q(2)*cos(r)
        y(j) = y(j)*r + q(2)
      end do
      z = r
      q(1) = z*q(2)
    end subroutine
  end subroutine
  ! sections, array expressions, passes of the host's arrays as arguments beside host association
  subroutine f5(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: h(0:n+1), d(n)
    h = 0
    h(1:n) = x
    call lap(d)
    h(1:n) = h(1:n) + 0.1d0*d
    call lap(d)
    y = h(1:n)*d
  contains
    subroutine lap(o)
      real(8), intent(out) :: o(n)
      real(8) :: c(n)
      c = h(1:n)**2
      o = h(0:n-1) - 2*c + h(2:n+1)
      c = o*c
      o = o + c
      h(0) = h(n)*o(1)
      h(n+1) = h(1)
    end subroutine
  end subroutine
  ! threads inside
  subroutine f6(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: w(n), s
    integer :: it
    w = x
    s = 0
    do it = 1, 2
      call p
    end do
    y = w*s
  contains
    subroutine p
      integer :: i
      real(8) :: t
      !$omp parallel do private(t) reduction(+:s)
      do i = 1, n
        t = w(i)
        if (t > 0.3d0) then
          t = t*t
          w(i) = t*x(i)
        end if
        s = s + t*w(i)
      end do
      !$omp parallel do
      do i = 1, n
        w(i) = w(i)*s
      end do
    end subroutine
  end subroutine
end module
