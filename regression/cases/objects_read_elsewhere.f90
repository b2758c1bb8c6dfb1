! head: m::gathered(y)/(x)
! head: m::mirrored(y)/(x)
! head: m::pairs(y)/(x)
! head: m::squares(y)/(x)
! head: m::grid(y)/(x)
! size: n=40
! threads: 4
! Iterations assign one component of their own object and read others of any object: their adjoints add to these.
module m
  implicit none
  type :: particle
    real(8) :: x = 0, v(2) = 0, a = 0
  end type particle
contains
  subroutine filled(x, p)
    real(8), intent(in) :: x(:)
    type(particle), intent(out) :: p(:)
    integer :: i
    do i = 1, size(x)
      p(i)%x = x(i)
      p(i)%v = [sin(x(i)), x(i)**2]
    end do
  end subroutine filled

  subroutine gathered(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(particle) :: p(n)
    integer :: i, k(n)
    real(8) :: d
    call filled(x, p)
    k = [(1 + mod(7*i, n), i = 1, n)]
    !$omp parallel do private(d)
    do i = 1, n
      d = p(k(i))%x - p(i)%x
      p(i)%a = d**2
    end do
    y = p%a
  end subroutine gathered

  subroutine mirrored(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(particle) :: p(n)
    integer :: i
    call filled(x, p)
    !$omp parallel do
    do i = 1, n
      p(i)%a = p(n+1-i)%v(1)*p(i)%v(1) + p(i)%x
    end do
    y = p%a
  end subroutine mirrored

  subroutine pairs(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(particle) :: p(n)
    integer :: i, j
    real(8) :: acc
    call filled(x, p)
    !$omp parallel do private(j, acc)
    do i = 1, n
      acc = 0
      do j = 1, n
        acc = acc + (p(j)%x - p(i)%x)**3
      end do
      p(i)%a = acc
    end do
    y = p%a
  end subroutine pairs

  subroutine squares(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(particle) :: p(n)
    integer :: i
    call filled(x, p)
    !$omp parallel do
    do i = 1, n - 1
      p(i)%a = p(i+1)%x*p(i)%x
    end do
    y = p%a
  end subroutine squares

  subroutine grid(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(particle), allocatable :: g(:,:)
    integer :: i, j
    allocate(g(0:n/4+1,0:5))
    do j = 0, 5
      do i = 0, n/4 + 1
        g(i,j)%x = x(1 + mod(i + 3*j, n))
        g(i,j)%v = g(i,j)%x**2
      end do
    end do
    !$omp parallel do collapse(2)
    do j = 1, 4
      do i = 1, n/4
        g(i,j)%a = g(i+1,j)%x*g(i,j)%v(2) - g(i,j)%x + g(i,j-1)%v(2)**2
      end do
    end do
    !$omp parallel do private(i)
    do j = 1, 4
      do i = 1, n/4
        g(i,j)%v(2) = g(i,j)%v(2) + 0.1d0*g(i,j)%a
        y((j-1)*(n/4)+i) = g(i,j)%v(2)*g(i,j)%x
      end do
    end do
  end subroutine grid
end module m
