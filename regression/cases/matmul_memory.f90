! Products of allocatable arrays, of components, through pointers, of planes, and in called procedures.
! head: m::allocated_(w)/(a, x)
! head: m::components(y)/(s)
! head: m::pointers(y)/(a, x)
! head: m::planes(c)/(a, b)
! head: m::calls(y)/(a, x)
! head: m::globals(y)/(x)
module m
  implicit none
  type t
    real(8) :: a(3, 3), x(3)
    real(8), allocatable :: q(:, :)
    real(8), pointer :: p(:, :) => null()
  end type
  real(8), save :: g(4, 4)
  real(8), parameter :: k(2, 2) = reshape([1d0, 2d0, 3d0, 4d0], [2, 2])
  real(8), save, allocatable :: h(:, :)
contains
  subroutine allocated_(a, x, w)
    real(8), intent(in) :: a(:, :), x(:)
    real(8), intent(out) :: w(:)
    real(8), allocatable :: p(:), q(:, :), r(:)
    p = matmul(a, x)
    q = matmul(transpose(a), a)
    p = matmul(q, x)
    p = matmul(p, q)
    allocate (r(0:size(x)-1))
    r = matmul(q, p)
    r = matmul(r, q)
    w = 0
    w(1:size(x)) = r*p
  end subroutine
  subroutine components(s, y)
    real(8), intent(in) :: s(3, 3)
    real(8), intent(out) :: y(3)
    type(t) :: v, w(2)
    real(8), target :: o(3, 3)
    v%a = s
    v%x = s(:, 1)
    v%x = matmul(v%a, v%x)
    v%q = matmul(v%a, transpose(v%a))
    v%a = matmul(v%q, v%a)
    w(1)%x = matmul(v%x, v%a)
    w(2)%x = matmul(v%a, w(1)%x)
    w(1)%a = matmul(v%q, s)
    w(:)%a(1, 1) = matmul(w(:)%x(2)*2, reshape([w%x(1), w%x(3)], [2, 2]))
    o = s
    v%p => o
    v%p = matmul(o, v%a)
    y = w(2)%x + w(1)%a(:, 1) + matmul(v%p, o(1, :))
  end subroutine
  subroutine pointers(n, a, x, y)
    integer, intent(in) :: n
    real(8), target, intent(in) :: a(n, n), x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: c(n, n)
    real(8), pointer :: p(:, :), q(:, :), v(:)
    c = a
    p => c
    q(0:, 2:) => c(n:1:-1, :)
    p = matmul(q, p)
    q = matmul(transpose(q), c)
    v => c(1, :)
    v = matmul(p, v)
    y = matmul(q, v) + matmul(v, q) + x
    allocate (p(n, 0:n-1))
    p = matmul(a, c)
    y = matmul(p, y)
    deallocate (p)
  end subroutine
  subroutine planes(n, a, b, c)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n, n, n), b(n, n, n)
    real(8), intent(out) :: c(n, n, n)
    real(8) :: o(n, n, n + 1)
    integer :: i
    do i = 1, n
      c(:, :, i) = matmul(a(:, i, :), b(i, :, :))
    end do
    o(:, :, 1) = a(:, :, 1)
    do i = 1, n
      o(:, :, i + 1) = matmul(o(:, :, i), c(:, :, i))
    end do
    do i = 1, n
      o(:, i, n + 1) = matmul(o(:, :, n), o(:, i, n + 1))
      c(i, :, 1) = matmul(c(i, :, 1), o(:, :, 1))
    end do
    c(:, :, n) = o(:, :, n + 1)
  end subroutine
  subroutine calls(n, a, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n, n), x(n)
    real(8), intent(out) :: y(n)
    real(8) :: z(n)
    call times(n, a, x, z)
    call times(n, matmul(a, a), z, y)
    y = y + own(matmul(a, z)) + matmul(own(x), a)
    call in_place(y, a)
    if (y(1) > 0) then
      y = matmul(a, y)
    else
      y = matmul(y, a)
    end if
  end subroutine
  subroutine times(n, a, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n, n), x(n)
    real(8), intent(out) :: y(n)
    y = matmul(a, x)*x
  end subroutine
  function own(x)
    real(8), intent(in) :: x(:)
    real(8) :: own(size(x))
    real(8) :: o(size(x), size(x))
    o = spread(x, 2, size(x))
    own = matmul(o, x)
  end function
  subroutine in_place(y, a)
    real(8), intent(inout) :: y(:)
    real(8), intent(in) :: a(:, :)
    y = matmul(a, y)
  end subroutine
  subroutine globals(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    integer :: i
    g = spread(x, 2, 4)
    if (.not. allocated(h)) allocate (h(0:3, 2:5))
    h = matmul(g, transpose(g))
    do i = 1, 3
      call step(x)
    end do
    y(1:2) = matmul(k, x(1:2))
    y(3:4) = matmul(x(3:4), k)
    y = matmul(h, y)
    deallocate (h)
  end subroutine
  subroutine step(x)
    real(8), intent(in) :: x(4)
    g = matmul(g, h)*1d-2
    h = matmul(h, g) + spread(x, 1, 4)
    h(2, :) = matmul(h, g(:, 2))
  end subroutine
end module
