! Elements found by index tables and inner limits, of which the directive proves that iterations don't meet: some are an
! iteration's own, others are read beside them.
! head: m::f(y,z)/(x,y)
! size: n=6
! threads: 4
module m
  implicit none
  type csr
    integer, allocatable :: first(:), col(:)
    real(8), allocatable :: val(:)
  end type
  type field
    real(8), allocatable :: v(:), w(:)
  end type
contains
  ! Between the parts of two iterations there is an element that both use and none assigns.
  subroutine gaps(n, x, y, z)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(0:5*n), z(n)
    integer :: i, k, lo(n), hi(n), idx(n)
    real(8) :: s
    do i = 1, n
      lo(i) = 5*(i - 1) + 1
      hi(i) = 5*(i - 1) + 4
      idx(i) = merge(i, 1, mod(i, 2) == 0)
    end do
    !$omp parallel do private(k, s)
    do i = 1, n
      do k = lo(i), hi(i)
        y(k) = y(k)*x(i)
      end do
      s = 0
      do k = lo(i) - 1, hi(i) + 1
        s = s + y(k)**2
      end do
      z(i) = z(i) + s
    end do
    !$omp parallel do
    do i = 1, n
      if (mod(i, 2) == 0) y(idx(i)) = x(i)**2
      z(i) = z(i) + 2*y(idx(i))
    end do
    !$omp parallel do private(k)
    do i = 1, n
      do k = hi(i), lo(i), -1
        if (y(k) > 100) exit
        y(k) = y(k)*x(i)
        z(i) = z(i) + y(k)
      end do
    end do
  end subroutine

  ! Iterations change the table: what they refer to then several of them do.
  subroutine tables(n, x, y, z)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(0:5*n), z(n)
    integer :: i, k, idx(n), at(2, n)
    logical :: own(n)
    do i = 1, n
      idx(i) = n + 1 - i
      at(:, i) = [i, n + 1 + mod(i, 2)]
      own(i) = .true.
    end do
    !$omp parallel do
    do i = 1, n
      y(idx(i)) = y(idx(i))*x(i)
      idx(i) = n + 1
      z(i) = z(i)*y(idx(i))
    end do
    !$omp parallel do private(k)
    do i = 1, n
      y(at(1, i)) = y(at(1, i))*x(i)
      do k = 1, 2
        at(1, i) = at(k, i)
      end do
      z(i) = z(i) + y(at(1, i))
    end do
    !$omp parallel do
    do i = 1, n
      y(merge(i, n + 1, own(i))) = x(i)**2
      if (mod(i, 3) > 0) own(i) = .false.
      z(i) = z(i) + x(i)*y(merge(i, n + 1, own(i)))
    end do
  end subroutine

  subroutine blocks(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(0:5*n)
    integer :: i, b, lo, hi
    !$omp parallel do private(lo, hi, i)
    do b = 1, 4
      lo = (b - 1)*n/4 + 1
      hi = b*n/4
      do i = lo, hi
        y(i) = y(i)*x(i)
        if (i > lo) y(i) = y(i) + 0.3d0*y(i-1)
      end do
    end do
    !$omp parallel do
    do i = 2, n
      y(i) = y(i)*y(1)
    end do
  end subroutine

  subroutine matrix(n, x, z)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: z(n)
    type(csr) :: a
    real(8) :: l(n, n)
    integer :: i, j, k
    allocate (a%first(n + 1), a%col(2*n), a%val(2*n))
    do i = 1, n
      a%first(i) = 2*i - 1
      a%col(2*i-1:2*i) = [i, mod(i, n) + 1]
    end do
    a%first(n + 1) = 2*n + 1
    !$omp parallel do private(k)
    do i = 1, n
      do k = a%first(i), a%first(i + 1) - 1
        if (a%col(k) == i) then
          a%val(k) = 3 + x(i)**2
        else
          a%val(k) = -0.5d0*(x(i) + x(a%col(k)))
        end if
      end do
    end do
    do j = 1, n
      l(:, j) = 0.1d0*x*x(j)
      l(j, j) = 4
    end do
    do k = 1, n - 1
      !$omp parallel do private(j)
      do i = k + 1, n
        l(i, k) = l(i, k)/l(k, k)
        do j = k + 1, n
          l(i, j) = l(i, j) - l(i, k)*l(k, j)
        end do
      end do
    end do
    do i = 1, n
      z(i) = z(i) + a%val(2*i)*a%val(2*i-1) + l(i, i)
    end do
  end subroutine

  subroutine fields(n, x, z)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: z(n)
    type(field) :: f(3)
    integer :: i, k, p, at(n), other(n)
    do k = 1, 3
      allocate (f(k)%v(0:n + 1), f(k)%w(n))
      f(k)%v = 0.5d0
    end do
    do i = 1, n
      at(i) = n + 1 - i
      other(i) = mod(i, 3) + 1
    end do
    do k = 1, 3
      !$omp parallel do
      do i = 1, n
        f(k)%v(at(i)) = x(i)**k
      end do
    end do
    do k = 2, 3
      !$omp parallel do
      do i = 1, n
        f(k)%w(i) = f(k)%v(i-1)*f(k-1)%v(i+1) + f(k)%v(i)
      end do
    end do
    !$omp parallel do private(p)
    do i = 1, n
      p = at(i)
      f(2)%w(p) = f(2)%w(p)*f(3)%w(p)
      p = other(i)
      z(i) = z(i)*x(p)
    end do
    z = z + f(2)%w
  end subroutine

  subroutine column(n, x, z)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: z(n)
    real(8) :: up(0:3), t
    integer :: i, k
    !$omp do
    do i = 1, n
      up(0) = x(i)**2
      do k = 1, 3
        t = exp(-x(i)*k)
        up(k) = up(k-1)*t + x(i)*(1 - t)
      end do
      z(i) = z(i) + up(3)
    end do
    !$omp end do
  end subroutine

  pure function flux(l, r) result(q)
    real(8), intent(in) :: l, r
    real(8) :: q(2)
    q(1) = l*r
    q(2) = sin(l) + r
  end function

  subroutine f(n, x, y, z)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(0:5*n)
    real(8), intent(out) :: z(n)
    real(8) :: q(2, n)
    integer :: i
    z = 1
    call gaps(n, x, y, z)
    call tables(n, x, y, z)
    call blocks(n, x, y)
    call matrix(n, x, z)
    call fields(n, x, z)
    !$omp parallel
    call column(n, x, z)
    !$omp end parallel
    !$omp parallel do
    do i = 1, n
      q(:, i) = flux(x(i), x(n + 1 - i))*x(i)
    end do
    z = z + q(1, :)*q(2, :)
  end subroutine
end module
