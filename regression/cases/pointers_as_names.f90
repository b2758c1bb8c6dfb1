! head: m::moved(y)/(x)
! head: m::by_name(y)/(x)
! head: m::anew(y)/(x)
! head: m::carried(y)/(x)
! head: m::components(y)/(x)
! head: m::bounds(y)/(x)
! head: m::strides(y)/(x)
! head: m::scalars(y)/(x)
! head: m::objects(y)/(x)
! head: m::passed(y)/(x)
! head: m::branches(y)/(x)
! head: m::asked(y)/(x)
! head: m::inner(y)/(x)
! head: m::left(y)/(x)
! head: m::swapped(y)/(x)
! head: m::parts(y)/(x)
! head: m::threads(y)/(x)
! head: m::outside(y)/(x)
! head: m::levels(y)/(x)
! head: m::rebound(y)/(x)
! head: m::bounded_target(y)/(x)
! size: n=6
! threads: 4
! Pointers that stand for one section at a time, and others that do not, or may not.
module m
  implicit none
  type :: node
    real(8) :: v(3) = 0, s = 0
    real(8), pointer :: t(:) => null()
  end type
  type :: state
    real(8), pointer :: now(:, :) => null(), then(:, :) => null()
  end type
  type(state), target :: all
contains
  subroutine moved(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: w(n, n)
    real(8), pointer :: p(:)
    integer :: j, k
    do j = 1, n
      w(:, j) = x*j
    end do
    k = 1
    do j = 1, n
      p => w(:, k)
      k = mod(k + 1, n) + 1
      p = p**2 + w(:, k)
      y(j) = sum(p)
    end do
  end subroutine
  subroutine by_name(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: w(n)
    real(8), pointer :: p(:), q(:)
    w = x
    p => w
    q => p(2:n)
    w = w**2
    q(1) = p(1)*w(2)
    p(n) = sin(q(n - 1))*q(1)
    call square(w)
    y = p*w
    y(1:n - 1) = y(1:n - 1) + q
  end subroutine
  subroutine anew(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: a(n), b(n)
    real(8), pointer :: p(:), q(:)
    a = x
    b = x**2
    q => a
    p => q
    q => b
    p = p*q
    q = q + p
    y = a*b
    p => q
    y = y + p
  end subroutine
  subroutine carried(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: a(n, 2)
    real(8), pointer :: p(:)
    integer :: i
    a(:, 1) = x
    a(:, 2) = 2*x
    y = 0
    p => a(:, 1)
    do i = 1, n
      y(i) = p(i)**2
      p => a(:, mod(i, 2) + 1)
      y(i) = y(i)*p(n + 1 - i)
    end do
  end subroutine
  subroutine components(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), pointer :: t(:), u(:)
    integer :: j
    allocate (all%now(n, n), all%then(n, n))
    do j = 1, n
      all%now(:, j) = x**2*j
      all%then(:, j) = x
    end do
    do j = 1, n
      t => all%now(:, j)
      t = t*sin(t)
      call turn()
      t(1) = t(1)*all%now(1, j)
      u => all%then(:, j)
      u = u*t
      y(j) = sum(u)
    end do
    deallocate (all%now, all%then)
  end subroutine
  subroutine turn()
    real(8), pointer :: t(:, :)
    t => all%now
    all%now => all%then
    all%then => t
  end subroutine
  subroutine bounds(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: w(0:n - 1)
    real(8), pointer :: p(:), q(:), r(:, :)
    integer :: i
    w = x
    p => w
    do i = lbound(p, 1), ubound(p, 1)
      p(i) = p(i)**2*(i + 1)
    end do
    q(-2:) => w(1:)
    q(-2) = q(-1)*p(0)
    r(1:2, 1:2) => w
    r(2, 2) = r(1, 1)*r(2, 1)
    p => w(1:n - 2)
    y = w
    y(lbound(p, 1)) = y(1) + p(ubound(p, 1))
  end subroutine
  subroutine strides(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: w(n, n)
    real(8), pointer :: p(:, :), q(:)
    integer :: i
    do i = 1, n
      w(i, :) = x*i
    end do
    p => w(n:1:-2, 2:n)
    p(1, :) = p(2, :)*x(1)
    q => p(2, 1:n - 1:3)
    q = q**2
    call square(q)
    y = sum(w, 1)*size(p, 2) + size(q)*sum(p(:, 1:2))
  end subroutine
  subroutine scalars(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: w(n), s
    real(8), pointer :: p
    integer :: i
    w = x
    s = 1
    do i = 1, n
      p => w(n + 1 - i)
      p = p*w(i)
      s = s + p
      p => s
      p = p*0.9d0
      y(i) = s
    end do
  end subroutine
  subroutine objects(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(node), target :: list(n)
    type(node), pointer :: p
    real(8), pointer :: v(:)
    integer :: i
    do i = 1, n
      p => list(i)
      p%v = x(i)*[1, 2, 3]
      v => p%v
      v(2) = v(1)**2
      p%s = sum(v)
    end do
    do i = 1, n
      p => list(n + 1 - i)
      y(i) = p%s*p%v(2)*list(i)%s
    end do
  end subroutine
  subroutine passed(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: w(n, n)
    real(8), pointer :: p(:), q(:)
    integer :: j
    do j = 1, n
      w(j, :) = x
    end do
    do j = 1, n
      p => w(j, :)
      call square(p)
      call fixed(n, p)
      q => w(:, j)
      call by_pointer(q)
      y(j) = q(1) + w(j, j)
    end do
  end subroutine
  subroutine square(a)
    real(8), intent(inout) :: a(:)
    a = a**2
  end subroutine
  subroutine fixed(n, a)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n)
    a(1) = a(n)*0.7d0
  end subroutine
  subroutine by_pointer(a)
    real(8), pointer, intent(in) :: a(:)
    a(1) = a(1)*a(2)
  end subroutine
  subroutine branches(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: a(n), b(n)
    real(8), pointer :: p(:), q(:)
    integer :: i
    a = x
    b = 2*x
    do i = 1, n
      if (x(i) > 0.5d0) then
        p => a
      else
        p => b
      end if
      p(i) = p(i)**2
      if (mod(i, 2) == 0) then
        q => a(i:)
        q(1) = q(1)*p(1)
        if (q(1) > 0.4d0) cycle
        q(1) = q(1)*0.5d0
      end if
    end do
    y = a + b
  end subroutine
  subroutine asked(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: a(n)
    real(8), pointer :: p(:), q(:), r(:)
    a = x
    nullify (p)
    if (.not. associated(p)) then
      p => a
      p = p*2
    end if
    allocate (q(n))
    q = a**2
    r => q
    r(1) = r(2)
    y = q*p
    deallocate (q)
    r => a
    y = y + r
    nullify (r, p)
  end subroutine
  subroutine inner(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: a(n)
    real(8), pointer :: p(:)
    integer :: i
    a = x
    p => a(2:)
    associate (z => p(1))
      z = z*a(1)
    end associate
    block
      real(8) :: t(n - 1)
      t = p
      p = t(n - 1:1:-1)*p
    end block
    where (p > 0.3d0) p = p*2
    y = a
    y = [(y(i)*p(1), i = 1, n)]
  end subroutine
  subroutine left(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: w(n)
    integer :: idx(n), i
    real(8), pointer :: p
    w = x
    idx = [(n + 1 - i, i = 1, n)]
    y = 0
    do i = 1, n
      p => w(idx(i))
      idx(i) = 1
      if (p < 0.2d0) exit
      p = p**2
      y(i) = p*w(1)
      if (i == n - 1) return
    end do
  end subroutine
  subroutine swapped(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: a(n), b(n)
    real(8), pointer :: old(:), new(:), tmp(:)
    integer :: k, i
    a = x
    b = 0
    old => a
    new => b
    do k = 1, 3
      do i = 2, n - 1
        new(i) = old(i) + 0.2d0*old(i - 1)*old(i + 1)
      end do
      new(1) = old(1)
      new(n) = old(n)
      tmp => old
      old => new
      new => tmp
    end do
    y = old
  end subroutine
  subroutine parts(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    complex(8), target :: z(n)
    complex(8), pointer :: p(:)
    integer, target :: k(n)
    integer, pointer :: at
    integer :: i
    z = cmplx(x, x**2, 8)
    k = [(i, i = n, 1, -1)]
    p => z(2:)
    p = p*z(1)
    do i = 1, n
      at => k(i)
      y(i) = abs(z(at))*real(p(1))
      at = 1
    end do
  end subroutine
  subroutine threads(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: w(n, n)
    real(8), pointer :: p(:)
    integer :: j
    do j = 1, n
      w(:, j) = x*j
    end do
    !$omp parallel do private(p)
    do j = 1, n
      p => w(:, j)
      p = p*sum(p)
      y(j) = p(1)*p(n)
    end do
  end subroutine
  subroutine outside(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: w(n, 2)
    real(8), pointer :: p(:), q(:)
    integer :: j, k
    w(:, 1) = x
    do k = 1, 2
      p => w(:, k)
      q => w(:, 3 - k)
      !$omp parallel do
      do j = 2, n
        q(j) = p(j)*p(j - 1)
      end do
      q(1) = p(1)
    end do
    p => w(:, 1)
    !$omp parallel do shared(p)
    do j = 1, n
      y(j) = p(j)**2
    end do
  end subroutine
  subroutine levels(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: w(n, 2)
    real(8), pointer :: old(:), new(:)
    integer :: k, now
    now = 1
    w(:, 1) = x
    do k = 1, 3
      old => w(:, now)
      new => w(:, 3 - now)
      new = old*sin(old)
      now = 3 - now
    end do
    y = w(:, now)
  end subroutine
  subroutine rebound(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: w(20)
    real(8), pointer :: p(:), q(:)
    w = 0.5d0
    w(1:n) = x
    allocate (p(20))
    p = w**2
    q => p
    q(1) = q(2)*x(1)
    q(2:) => p(3:n)
    q(2) = q(3)*x(2)
    y = p(1:n)
    deallocate (p)
  end subroutine
  subroutine bounded_target(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: w(n)
    real(8), pointer :: q(:)
    w = x
    q => w(2:n)
    q(1) = q(2)*x(1)
    q(0:) => w(3:n)
    q(0) = q(1)*x(2)
    q(1:2) => w
    q(2) = q(1)*w(n)
    y = w
  end subroutine
end module
