! head: m::f(y)/(x)
! target dummies and pointers of the callee that lead to what is passed for them
module m
  implicit none
  type :: store
    real(8), allocatable :: b(:)
    real(8) :: v(4)
  end type store
  type :: view
    real(8), pointer :: p(:) => null()
  end type view
  real(8), pointer :: shared(:) => null()
contains
  subroutine both(b, p)
    real(8), intent(inout), target :: b(:)
    real(8), pointer, intent(in) :: p(:)
    integer :: i
    do i = 1, size(p)
      b(i) = b(i)*0.9d0 + p(i)**2
    end do
  end subroutine both

  subroutine read_only(b, p)
    real(8), intent(inout), target :: b(:)
    real(8), pointer, intent(in) :: p(:)
    integer :: i
    do i = 1, size(p)
      p(i) = p(i)*0.9d0 + b(i)**2
    end do
  end subroutine read_only

  subroutine in_view(b, v)
    real(8), intent(inout), target :: b(:)
    type(view), intent(in) :: v
    v%p = v%p*0.8d0 + b**2
    b(2) = b(1)*v%p(1)
  end subroutine in_view

  subroutine in_module(b)
    real(8), intent(inout), target :: b(:)
    b = b**2 + 0.1d0
    shared(1) = shared(1)*b(1)
    call both(b, shared)
  end subroutine in_module

  function part(v, k) result(p)
    real(8), intent(in), target :: v(:, :)
    integer, intent(in) :: k
    real(8), pointer :: p(:)
    p => v(:, k)
  end function part

  subroutine mix(v, p, q)
    real(8), intent(inout), target :: v(:, :)
    real(8), pointer, intent(in) :: p(:), q(:)
    integer :: k
    do k = 1, size(v, 2)
      v(:, k) = v(:, k)*0.7d0 + p*q
    end do
  end subroutine mix

  subroutine f(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8), target :: b(n), c(n), v(n, 2)
    type(store), target :: s
    type(view) :: w
    real(8), pointer :: p(:), q(:)
    b = x
    p => b
    call both(b, p)
    y = sum(b)
    c = 2*x
    p => c
    if (n > 2) p => b(n:1:-1)
    call read_only(b, p)
    y = y + sum(b*c)
    s%b = x*b
    w%p => s%b
    call in_view(s%b, w)
    shared => s%b
    call in_module(s%b)
    y = y + sum(s%b)
    v(:, 1) = x
    v(:, 2) = 0.5d0*x**2
    p => part(v, 1)
    q => part(v, 2)
    call mix(v, p, q)
    y = y + sum(v)
  end subroutine f
end module m
