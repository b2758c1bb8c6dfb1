module m
  implicit none
  real(8), allocatable :: g(:)
contains
  subroutine init(w, k, x)
    real(8), allocatable, intent(out) :: w(:)
    integer, intent(in) :: k
    real(8), intent(in) :: x(:)
    integer :: i
    allocate(w(k))
    do i = 1, k
      w(i) = x(i)**2
    end do
  end subroutine
  subroutine grow(w, v)
    real(8), allocatable, intent(inout) :: w(:)
    real(8), intent(in) :: v
    w = [w, v*w(size(w))]
  end subroutine
  subroutine finish(w, s)
    real(8), allocatable, intent(inout) :: w(:)
    real(8), intent(inout) :: s
    s = s + sum(w)*w(1)
    deallocate(w)
  end subroutine
  subroutine f(n,x,y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), allocatable :: w(:)
    real(8) :: s
    integer :: i
    call init(w, n, x)
    s = w(2)
    call grow(w, s)
    call grow(w, s*x(1))
    y = w(1:n)*w(size(w))
    call init(w, 2, x)
    do i = 1, 3
      call grow(w, x(i))
    end do
    y(2) = y(2)*w(size(w))
    call finish(w, s)
    y(1) = s
    allocate(g(3))
    g = x(1:3)
    do i = 1, 3
      call grow(g, x(i))
      y(i) = y(i)*g(3+i)
    end do
    call finish(g, s)
    y(4) = s
  end subroutine f
end module m
