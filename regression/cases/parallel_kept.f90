! head: parallel_kept::columns(u)/(u,g)
! head: parallel_kept::two_dimensions(w)/(u,f0)
! head: parallel_kept::by_table(q)/(q,f0)
! head: parallel_kept::by_tables(q)/(q,f0)
! head: parallel_kept::own_elements(y)/(x)
! head: parallel_kept::limited(w)/(a,b)
! head: parallel_kept::every_other(u)/(u,g)
! head: parallel_kept::in_steps(h)/(b,h)
! head: parallel_kept::sections_and_elements(f)/(t)
! head: parallel_kept::found(y)/(x)
! size: n=6 nx=4 ny=3 nt=3
! threads: 4
! Loops that stay parallel: columns with work arrays and inner loops of unknown length in a time loop, stencils by private
! values over two loops together, and `do concurrent` by index tables.
module parallel_kept
  implicit none
contains
  ! What is private is assigned element by element and used right behind that.
  subroutine columns(nx, ny, nt, u, g)
    integer, intent(in) :: nx, ny, nt
    real(8), intent(inout) :: u(nx,ny)
    real(8), intent(in) :: g(ny)
    real(8) :: l(ny), v(ny), y, old
    integer :: i, j, m, it
    do it = 1, nt
      !$omp parallel do private(l, v, j, y, old, m)
      do i = 1, nx
        do j = 1, ny
          l(j) = -0.1d0*g(j)
          v(j) = u(i,j)*l(j)
        end do
        do j = 1, ny
          y = v(j)
          do m = 1, 200
            old = y
            y = v(j) + 0.2d0*sin(y*l(j))
            if (abs(y - old) < 1d-13) exit
          end do
          u(i,j) = y + 0.1d0*u(i,j)
        end do
      end do
    end do
  end subroutine

  subroutine two_dimensions(n, u, f0, w)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n,n), f0(n,n)
    real(8), intent(out) :: w(n,n)
    real(8) :: d
    integer :: i, j
    w = 0
    !$omp parallel do collapse(2) private(d)
    do j = 2, n - 1
      do i = 2, n - 1
        d = exp(u(i-1,j) + u(i+1,j) + u(i,j-1) + u(i,j+1) - f0(i,j))
        w(i,j) = u(i,j)*d
      end do
    end do
  end subroutine

  subroutine by_table(n, q, f0)
    integer, intent(in) :: n
    real(8), intent(inout) :: q(n)
    real(8), intent(in) :: f0(n)
    integer :: i, ix(n)
    ix = [(mod(3*i, n + 1), i = 1, n)]
    do concurrent (i = 1:n)
      q(ix(i)) = q(ix(i))*f0(i) + sin(f0(i))
    end do
    do concurrent (i = 1:n, f0(i) > 0.3d0)
      q(ix(i)) = q(ix(i)) + f0(i)*q(ix(i))**2
    end do
  end subroutine

  subroutine by_tables(n, q, f0)
    integer, intent(in) :: n
    real(8), intent(inout) :: q(n,n)
    real(8), intent(in) :: f0(n)
    integer :: i, j, ix(n)
    ix = [(mod(3*i, n + 1), i = 1, n)]
    do concurrent (i = 1:n, j = 1:n)
      q(ix(i),ix(j)) = q(ix(i),ix(j))*f0(i) + f0(j)**2
    end do
  end subroutine

  ! Elements that are used where they have just been assigned, or not quite.
  subroutine own_elements(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n), b(n), c(n)
    integer :: i, j, k
    a = 0
    b = x
    c = 1
    do k = 1, 2
      !$omp parallel do private(a, b, j) firstprivate(c)
      do i = 1, n
        do j = 1, n
          a(j) = x(j)*k
          b(j) = a(j)**2
          if (x(j) > 0.4d0) a(j) = a(j)*b(j)
          y(i) = 0
        end do
        do j = 2, n
          c(1) = a(j)
          b(j) = b(j-1)*0.3d0 + c(1)
        end do
        y(i) = b(i) + a(n+1-i)*c(2)
      end do
    end do
    y = y*b(1)*c(1)
  end subroutine

  ! Neighbours are passed to a procedure, in each kind of loop.
  subroutine limited(n, a, b, w)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), b(n)
    real(8), intent(out) :: w(n)
    integer :: i
    w = a
    do concurrent (i = 2:n-1, b(i) > 0.3d0)
      w(i) = slope(a(i-1), a(i), a(i+1))
    end do
    !$omp parallel do
    do i = 2, n - 1
      w(i) = w(i)*slope(b(i+1), b(i), b(i-1)) + slope(a(i), a(i), a(i+1))
    end do
  end subroutine

  pure real(8) function slope(l, c, r)
    real(8), intent(in) :: l, c, r
    slope = l*c*r + max(l - c, 0.1d0*r)
  end function

  ! Every other point, in a procedure that is called in a region.
  subroutine every_other(n, u, g)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    real(8), intent(in) :: g(n)
    !$omp parallel
    call of_color(n, u, g, 2)
    call of_color(n, u, g, 3)
    !$omp end parallel
  end subroutine

  subroutine of_color(n, u, g, first)
    integer, intent(in) :: n, first
    real(8), intent(inout) :: u(n)
    real(8), intent(in) :: g(n)
    integer :: i
    !$omp do
    do i = first, n - 1, 2
      u(i) = 0.5d0*(u(i-1) + u(i+1) - g(i)*u(i)) + 0.1d0*u(i)**2
    end do
  end subroutine

  ! What is saved in a branch, in steps that change an array in place.
  subroutine in_steps(n, b, h)
    integer, intent(in) :: n
    real(8), intent(in) :: b(n,n)
    real(8), intent(inout) :: h(n,n)
    integer :: i, j, it
    real(8) :: t
    do it = 1, 3
      !$omp parallel do private(t)
      do j = 1, n
        do i = 1, n
          t = h(i,j)**2
          if (t > 0.2d0) t = 0.1d0/t
          h(i,j) = t*b(i,j)
        end do
      end do
    end do
  end subroutine

  ! Columns as a whole and element by element, of an array that gets memory, and of one of assumed shape.
  subroutine sections_and_elements(n, t, f)
    integer, intent(in) :: n
    real(8), intent(in) :: t(n,n)
    real(8), intent(out) :: f(n,n)
    call columns_of(t, f)
  end subroutine

  subroutine columns_of(t, f)
    real(8), intent(in) :: t(:,:)
    real(8), intent(out) :: f(:,:)
    real(8), allocatable :: g(:,:)
    integer :: i, j
    allocate(g(size(t,1),size(t,2)))
    !$omp parallel do private(i)
    do j = 1, size(t, 2)
      g(:,j) = 0
      f(:,j) = 0.5d0*sum(t(:,j))*size(f)
      do i = 1, size(t, 1)
        if (t(i,j) > 0.4d0) g(i,j) = t(i,j)**2
        f(i,j) = f(i,j)*t(i,j) + g(i,j)
      end do
    end do
  end subroutine

  ! Whether there is a value, and the last one, found by all threads together.
  subroutine found(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, k, most
    logical :: any_large, all_small
    k = 1
    most = 0
    any_large = .false.
    all_small = .true.
    !$omp parallel do reduction(max: k) reduction(.or.: any_large) reduction(.and.: all_small) reduction(min: most)
    do i = 1, n
      y(i) = x(i)**2
      any_large = any_large .or. y(i) > 0.3d0
      all_small = all_small .and. y(i) < 0.4d0
      if (y(i) > 0.2d0) k = max(k, i)
      most = min(most, -i)
    end do
    if (any_large) y = y*x(k)
    if (.not. all_small) y = y*y(1)
    y(1) = y(1)*x(-most)
  end subroutine
end module
