! Pointers that a callee swaps or associates in a time loop: buffers that are never one and the same where they are
! passed together, and pointers of a module that are null until the loop associates them.
! head: m::swapped(y)/(x)
! head: m::rotated(y)/(x)
! head: m::selected(y)/(x)
! head: m::regrown(y)/(x)
! size: n=4
module m
  implicit none
  type field
    real(8) :: u(4), v(4)
  end type
  real(8), target :: buffers(4, 2)
  real(8), pointer :: cur(:) => null(), prv(:) => null()
contains
  subroutine swap(a, b)
    type(field), pointer, intent(inout) :: a, b
    type(field), pointer :: t
    t => a
    a => b
    b => t
  end subroutine

  subroutine step(now, new)
    type(field), intent(in) :: now
    type(field), intent(out) :: new
    new%u = now%u*1.1d0 - 0.2d0*now%v**2*now%u(4:1:-1)
    new%v = now%v*now%u
  end subroutine

  subroutine swapped(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    type(field), target :: first, second
    type(field), pointer :: now, new
    integer :: i
    first%u = x
    first%v = x**2
    second%u = 0
    second%v = 1
    now => first
    new => second
    do i = 1, n
      call step(now, new)
      call swap(now, new)
    end do
    y = now%u + 0.1d0*new%v
  end subroutine

  subroutine rotate(a, b, c, k)
    real(8), pointer, intent(inout) :: a(:), b(:), c(:)
    integer, intent(in) :: k
    real(8), pointer :: t(:)
    if (mod(k, 3) == 0) return
    t => a
    a => b
    b => c
    c => t
  end subroutine

  subroutine leap(old, now, new)
    real(8), intent(in) :: old(:), now(:)
    real(8), intent(out) :: new(:)
    new = old + 0.2d0*now**2*now(size(now):1:-1)
  end subroutine

  subroutine rotated(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    real(8), pointer :: old(:), now(:), new(:)
    integer :: i
    allocate(old(4), now(4), new(4))
    old = x
    now = x**2
    new = 0
    do i = 1, n
      call leap(old, now, new)
      call rotate(old, now, new, i)
    end do
    y = now*old(2) + old
    deallocate(old, now, new)
  end subroutine

  subroutine choose(k)
    integer, intent(in) :: k
    cur => buffers(:, k)
    prv => buffers(:, 3 - k)
  end subroutine

  subroutine run(n)
    integer, intent(in) :: n
    integer :: i
    do i = 1, n
      call choose(1 + mod(i, 2))
      cur = prv*0.9d0 + cur*prv(4:1:-1)*0.1d0
    end do
  end subroutine

  subroutine selected(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    buffers(:, 1) = x
    buffers(:, 2) = x**2
    call run(n)
    y = cur + buffers(:, 1)
    call run(n - 2)
    y = y*cur(2) + prv
  end subroutine

  subroutine grow(p, n)
    real(8), pointer :: p(:)
    integer, intent(in) :: n
    real(8), pointer :: q(:)
    integer :: k
    k = size(p)
    allocate(q(n))
    q(1:k) = p
    q(k + 1:) = 0.1d0
    deallocate(p)
    p => q
  end subroutine

  subroutine regrown(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    real(8), pointer :: a(:), b(:), c(:)
    integer :: i
    allocate(a(2), b(2), c(2))
    a = x(1:2)
    b = x(3:4)
    c = 1
    do i = 3, n
      call grow(a, i)
      call grow(b, i)
      call grow(c, i)
      call leap(a, b, c)
      call rotate(a, b, c, i)
    end do
    y = a*b(4) + c
    deallocate(a, b, c)
  end subroutine
end module
