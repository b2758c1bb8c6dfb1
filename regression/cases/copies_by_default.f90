! head: m::f(y)/(x)
! size: n=6
! threads: 2
! Arrays, objects and pointers of which threads get copies, by default or as asked, and what calls change in these.
module m
  implicit none
  type pair
    real(8) :: a, b
  end type pair
contains
  subroutine twice(c)
    real(8), intent(inout) :: c
    c = 2*c
  end subroutine twice

  ! A copy has as many elements as what is outside.
  subroutine sized(x, y, w, extra)
    real(8), intent(in) :: x(:)
    real(8), intent(inout) :: y(:), w(0:)
    real(8), intent(inout), optional :: extra
    real(8), allocatable :: v(:)
    integer :: i
    allocate (v(-1:2))
    v = w(0)
    if (present(extra)) extra = 2*extra
    !$omp parallel do private(v, w) firstprivate(extra)
    do i = 1, size(x)
      w(0:1) = x(i)
      v(-1) = w(1)*x(i)
      v(2) = x(i)
      if (present(extra)) extra = x(i)
      y(i) = y(i)*v(-1)*v(2)
    end do
    y(1) = y(1)*sum(v)*w(1)
    if (present(extra)) y(2) = y(2)*extra
  end subroutine sized

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: c(2), d(3), called
    real(8), allocatable :: grown(:)
    real(8), target :: a(4), b(4)
    real(8), pointer :: p(:)
    type(pair) :: o
    integer :: i
    c = x(1)
    d = x(2)
    o = pair(x(3), x(4))
    called = x(5)
    allocate (grown(3))
    grown = x(6)
    a = x(1)**2
    b = x(2)**2
    p => a
    !$omp parallel default(firstprivate) shared(x, y)
    c = c*2
    d(2) = c(1)
    o%a = o%a*d(1)
    grown = grown*o%b
    call twice(called)
    !$omp do
    do i = 1, n
      y(i) = x(i)*c(1)*d(2)*o%a*grown(2)*called
    end do
    !$omp end parallel
    !$omp parallel firstprivate(p)
    p => b
    !$omp do
    do i = 1, n
      y(i) = y(i)*p(1)
    end do
    !$omp end parallel
    !$omp parallel default(private) shared(x, y, n)
    c = x(3)
    !$omp do
    do i = 1, n
      y(i) = y(i)*c(2)
    end do
    !$omp end parallel
    d(1) = x(1)
    call sized(x, y, c, d(1))
    call sized(x, y, d(2:3), d(1))
    y(1) = y(1)*c(2)*d(2)*o%a*grown(1)*called*p(2)
  end subroutine f
end module m
