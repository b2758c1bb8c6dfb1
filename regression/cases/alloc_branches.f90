module m
  implicit none
contains
  subroutine g(k, x, s)
    integer, intent(in) :: k
    real(8), intent(in) :: x(:)
    real(8), intent(inout) :: s
    real(8), allocatable :: t(:), u(:)
    integer :: i
    allocate(t(k), u(k))
    t = x(1:k)*s
    u = t
    do i = 1, 2
      t = t*s + u
      s = s + t(k)*0.1d0
    end do
    if (s > 0d0) then
      deallocate(u)
      s = s*t(1)
    else
      s = s*u(k)
    end if
    if (.not. allocated(u)) allocate(u(2))
    u = t(1)
    s = s*u(2)
  end subroutine
  subroutine f(n,x,y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: s
    integer :: i, it
    real(8), allocatable :: w(:,:), old(:)
    s = 0.4d0
    it = 0
    do while (it < 5)
      it = it + 1
      allocate(w(0:it,it), old(n))
      old = x*s
      w = s**2
      w(0,it) = old(it)
      call g(it, old, s)
      s = sin(s*sum(w))
      y(it) = s
      if (s > 0.9d0) exit
      block
        real(8) :: z(it)
        z = w(1,1)*s
        y(it) = y(it) + sum(z)
      end block
      deallocate(w)
      deallocate(old)
    end do
    y(it+1:) = x(it+1:)*s
  end subroutine f
end module m
