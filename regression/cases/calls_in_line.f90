! Procedures that allocate, free or associate what belongs to their callers, and compute values too: their statements are
! reversed in place of their calls.
! head: m::grown(y)/(x)
! head: m::of_module(y)/(x)
! head: m::of_elements(y)/(x)
! head: m::of_host(y)/(x)
! head: m::listed(y)/(x)
! head: m::shared(y)/(x)
! size: n=4
module m
  implicit none
  type column
    integer :: n = 0
    real(8), allocatable :: t(:), q(:)
  end type
  type part
    real(8) :: v(2)
  end type
  type view
    type(part), pointer :: a => null()
    integer :: changes = 0
  end type
  type pair
    type(view) :: b(2)
  end type
  real(8), pointer :: u(:) => null(), v(:) => null()
  type(column) :: columns(2)
contains
  subroutine grow(p, a, b, n)
    real(8), pointer :: p(:)
    real(8), intent(in) :: a(:), b(:)
    integer, intent(in) :: n
    real(8), allocatable :: t(:)
    integer :: i
    if (n < 1) return
    allocate(t(0:n))
    do i = 0, n
      t(i) = a(1 + mod(i, size(a)))*b(lbound(b, 1))
      if (t(i) > 1d3) return
    end do
    if (associated(p)) then
      t(0) = t(0) + p(0)
      deallocate(p)
    end if
    allocate(p(0:n))
    p = t + b(size(b))
  end subroutine

  subroutine grown(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    real(8), pointer :: w(:)
    real(8), allocatable :: c(:)
    integer :: i
    allocate(c(-2:1))
    c = x**2
    nullify(w)
    y = 0
    do i = 0, n
      call grow(w, x(2:3), c, i)
      if (i > 0) y = y + w(0)*w(i)
      call grow(w, c, x, i)
      if (i > 0) y = y + sum(w)*0.1d0
      c(-2) = c(-2)*0.9d0 + y*0.01d0
    end do
    deallocate(w)
  end subroutine

  subroutine begin(n)
    integer, intent(in) :: n
    allocate(u(n))
    allocate(v(0:n - 1))
    u = 0
    v = 1
  end subroutine

  subroutine finish
    if (associated(u)) deallocate(u)
    if (associated(v)) deallocate(v)
  end subroutine

  subroutine of_module(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    call begin(4)
    u = x**2
    v = u*x(1)*v
    u(2:3) = v(0:1)*u(4)
    y = u + v
    call finish
  end subroutine

  subroutine set_column(k, n)
    integer, intent(in) :: k, n
    columns(k)%n = n
    if (.not. allocated(columns(k)%t)) allocate(columns(k)%t(n), columns(k)%q(n))
    columns(k)%t = 0
    columns(k)%q = 1
  end subroutine

  subroutine of_elements(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    integer :: k, j
    do k = 1, 2
      call set_column(k, 2*k)
      columns(k)%t = x(1:2*k)*k
      do j = 1, columns(k)%n - 1
        columns(k)%q(j + 1) = columns(k)%q(j)*columns(k)%t(j) + 0.1d0
      end do
    end do
    y(1:2) = columns(1)%t*columns(1)%q
    y(3:4) = columns(2)%q(3:4) + columns(2)%t(1:2)
    do k = 1, 2
      deallocate(columns(k)%t, columns(k)%q)
    end do
  end subroutine

  subroutine of_host(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(2)
    real(8), target :: a(4)
    real(8), pointer :: cur(:)
    integer :: step, i
    a = x
    step = 0
    do i = 1, 2
      call next(i)
      cur = cur**2*a(1)
    end do
    y(1) = sum(a)
    y(2) = cur(1)*step
  contains
    subroutine next(j)
      integer, intent(in) :: j
      integer :: i
      do i = 1, j
        step = step + 1
      end do
      cur => a(step:step + 1)
    end subroutine
  end subroutine

  subroutine set_list(l, n)
    integer, pointer, intent(inout) :: l(:)
    integer, intent(in) :: n
    integer :: i
    if (associated(l)) deallocate(l)
    allocate(l(n))
    do i = 1, n
      l(i) = n + 1 - i
    end do
  end subroutine

  subroutine listed(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(3)
    integer, pointer :: l(:)
    integer :: k, j
    nullify(l)
    y = x
    do k = 3, 1, -1
      call set_list(l, k)
      do j = 1, k
        y(l(j)) = y(l(j))*x(l(k)) + y(j)
      end do
    end do
    deallocate(l)
  end subroutine

  subroutine touch(c, k)
    type(pair), intent(inout) :: c
    integer, intent(in) :: k
    c%b(k)%a%v = c%b(k)%a%v*c%b(3 - k)%a%v(1)
    c%b(k)%changes = c%b(k)%changes + 1
    if (c%b(k)%changes > 1) c%b(k)%a => c%b(3 - k)%a
  end subroutine

  subroutine shared(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    type(pair) :: c
    type(part), target :: s(2)
    integer :: i
    s(1)%v = x(1:2)
    s(2)%v = x(3:4)
    c%b(1)%a => s(1)
    c%b(2)%a => s(2)
    do i = 1, 5
      call touch(c, 1 + mod(i, 2))
    end do
    y(1:2) = s(1)%v
    y(3:4) = s(2)%v*c%b(1)%a%v(2)
  end subroutine
end module
