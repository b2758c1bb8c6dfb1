module state
  implicit none
  integer, parameter :: wp = kind(1.0d0)
  type pair
    real(wp) :: a
    real(wp), allocatable :: b(:)
  end type pair
  real(wp) :: gain = 1.5d0
  real(wp) :: field(3) = [0.5d0, 0.25d0, 0.125d0]
end module state

module m
  use state
  implicit none
contains
  ! State of a module that is read and changed, a text and a logical that stand for the way taken.
  subroutine push(n, u)
    integer, intent(in) :: n
    real(wp), intent(inout) :: u(n)
    character(len=4) :: way
    logical :: grow
    integer :: i
    way = 'none'
    do i = 1, n
      grow = u(i) > 0.3_wp
      if (grow) way = 'up'
      if (way == 'up') then
        u(i) = u(i)*gain + field(2)**2
      else
        u(i) = sin(u(i))*u(i)
      end if
    end do
    gain = gain*cos(u(1)) + 0.1_wp
    field(1:2) = field(2:3)*u(n) + field(1)**2
  end subroutine push

  ! An allocatable local array, a local variable of derived type, and a work array that the backward half reads.
  subroutine blend(n, u, v)
    integer, intent(in) :: n
    real(wp), intent(in) :: u(n)
    real(wp), intent(out) :: v(0:n-1)
    real(wp), allocatable :: t(:)
    real(wp) :: w(n)
    type(pair) :: p
    integer :: i
    allocate(t(n))
    allocate(p%b(n))
    do i = 1, n
      w(i) = exp(-u(i)**2)
    end do
    p%a = w(1)*w(n)
    do i = 1, n
      t(i) = w(i)*p%a
      p%b(i) = t(i)**2 + u(i)
    end do
    do i = 1, n
      v(i-1) = t(i)*p%b(n+1-i)
    end do
    do i = 1, n - 1
      v(i) = v(i)*v(i-1)
    end do
    deallocate(t)
  end subroutine blend

  ! A function with an argument that may be absent.
  function weight(x, scale) result(z)
    real(wp), intent(in) :: x
    real(wp), intent(in), optional :: scale
    real(wp) :: z
    integer :: k
    z = x
    do k = 1, 3
      z = z*sin(z) + x
      if (present(scale)) z = z*scale
    end do
  end function weight

  ! An argument that may be absent is changed.
  subroutine drift(u, extra)
    real(wp), intent(inout) :: u(:)
    real(wp), intent(inout), optional :: extra
    integer :: i
    do i = 2, size(u)
      u(i) = u(i)*u(i-1)
      if (present(extra)) extra = extra*u(i) + u(1)
    end do
  end subroutine drift

  ! Calls within calls, in loops and branches, with sizes that go with the loops.
  subroutine step(n, k, u, v)
    integer, intent(in) :: n, k
    real(wp), intent(inout) :: u(n), v(n)
    real(wp) :: s
    integer :: i, j
    s = 0.5_wp
    do j = 1, 2
      do i = j, n, 2
        if (u(i) > 0.2_wp) then
          call drift(u(:i), extra=s)
        else
          v(i) = v(i) + weight(u(i))
        end if
      end do
      call push(n, v)
    end do
    if (mod(k, 2) == 0) then
      call drift(v)
    end if
    u = u + weight(scale=s, x=v(1))
  end subroutine step

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(wp), intent(in) :: x(n)
    real(wp), intent(out) :: y(n)
    real(wp) :: u(n), v(n), total
    integer :: k, l
    gain = 1.2_wp + x(1)
    field = x(2)*[1.0_wp, 2.0_wp, 3.0_wp]
    u = x
    call blend(n, u, v)
    total = 0
    do k = 1, 3
      call step(n, k, u, v)
      total = total + u(k)*v(k)
      do l = k, 3
        call push(n - l, u)
        u(l) = u(l)*v(l)
      end do
      u = u/(1 + 0.1_wp*sum(u**2))
      v = v/(1 + 0.1_wp*sum(v**2))
    end do
    ! A loop whose trip count isn't known: the call runs again.
    k = 0
    do while (total > 0.1_wp .and. k < 2)
      total = 0.9_wp*total
      call drift(u, total)
      k = k + 1
    end do
    call blend(n, v, y)
    v(1) = 0
    y = y + u*total*gain + weight(v(2)*y(1)) + field(1)
  end subroutine f
end module m
