! head: parallel_sections::side_by_side(y)/(x,z)
! head: parallel_sections::halves(y)/(x)
! head: parallel_sections::one_after_other(y)/(x)
! head: parallel_sections::steps(s)/(x)
! head: parallel_sections::searches(y)/(x)
! size: n=7
! threads: 4
! Sections, tasks side by side, and workshare: what is shared by several, what each has of its own, parts of one array, order
! by dependences, loops that nobody knows the length of, and module state.
module parallel_sections
  implicit none
  real(8) :: weight(2) = [0.7d0, 1.3d0], total = 0
contains
  ! Sections that read the same, with scalars and work arrays of their own, around array statements.
  subroutine side_by_side(n, x, z, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), z(n)
    real(8), intent(out) :: y(n)
    real(8) :: t(n), u(n), v(n), w(n), work(n), q, s
    integer :: i
    !$omp parallel private(work, q)
    !$omp workshare
    t = x*x + z
    where (t > 0.5d0)
      u = sin(t)*x
    elsewhere
      u = t
    end where
    v(2:n) = t(1:n-1)*u(2:n)
    t(2:n) = v(2:n)
    s = sum(t*u)
    !$omp end workshare
    !$omp sections private(i)
    q = 1
    do i = 1, n
      q = q*(1 + 0.1d0*t(i))
      work(i) = q*s
    end do
    do i = 1, n
      v(i) = work(n+1-i)*u(i)
    end do
    !$omp section
    q = 2
    do i = n, 1, -1
      work(i) = q*u(i)
      q = q + cos(t(i))
    end do
    w = work*work
    !$omp end sections
    !$omp end parallel
    y = v*w + t
  end subroutine

  ! Both halves of an array, and a number that both add to.
  subroutine halves(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, m
    real(8) :: a, b
    m = n/2
    !$omp parallel sections private(i) firstprivate(a) lastprivate(b)
    !$omp section
    do i = 1, m
      y(i) = x(i)*weight(1)
      y(i) = y(i)*exp(0.1d0*x(n))
    end do
    !$omp section
    do i = m + 1, n
      y(i) = x(i)*weight(2)*y_of(n, x, i)
    end do
    b = 2*x(1)
    !$omp end parallel sections
    y(1) = y(1) + b
  end subroutine

  pure real(8) function y_of(n, x, i)
    integer, intent(in) :: n, i
    real(8), intent(in) :: x(n)
    y_of = sin(x(i)) + x(1)
  end function

  ! Tasks of which the second waits for the first, and one that waits for nobody.
  subroutine one_after_other(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n), b(n), c(n)
    !$omp parallel
    !$omp single
    !$omp task depend(out: a)
    call product_of(n, x, a)
    !$omp end task
    !$omp task depend(in: a)
    call product_of(n, a, b)
    !$omp end task
    !$omp task
    call product_of(n, x*x, c)
    !$omp end task
    !$omp taskwait
    y = a*b + c
    !$omp task shared(a)
    call product_of(n, c, a)
    !$omp end task
    !$omp task shared(b)
    call product_of(n, y, b)
    !$omp end task
    !$omp end single
    !$omp end parallel
    y = a + b
  end subroutine

  subroutine product_of(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: p
    integer :: k
    p = 1
    do k = 1, n
      p = p*(1 + 0.1d0*sin(x(k)))
      y(k) = p*weight(2)
    end do
  end subroutine

  ! Sections in a loop, which change their own variables in each step; one changes a variable of the module.
  subroutine steps(n, x, s)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: s
    real(8) :: a(n), b(n)
    integer :: k, i
    a = x
    b = cos(x)
    total = 0
    do k = 1, 3
      !$omp parallel sections private(i)
      !$omp section
      do i = 2, n
        a(i) = a(i)*a(i-1)*0.5d0 + x(i)
      end do
      !$omp section
      do i = 1, n
        b(i) = b(i) + 0.1d0*b(i)**2*x(i)
        total = total + b(i)
      end do
      !$omp end parallel sections
      b = b + 0.2d0*a
    end do
    s = sum(a*b) + total
  end subroutine

  ! Loops that end where a value is small, in both sections.
  subroutine searches(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: r, e
    !$omp parallel sections private(r, e)
    !$omp section
    r = 1 + x(1)**2
    e = 1
    do while (e > 1d-3)
      e = (r*r - 2)/(2*r)
      r = r - e
      e = abs(e)
    end do
    y(1:2) = r*x(1:2)
    !$omp section
    r = x(3)
    e = 1
    do while (e > 1d-3)
      e = sin(r)*0.25d0
      r = r - e
      e = abs(e)*0.5d0
    end do
    y(3:) = r*x(3:)
    !$omp end parallel sections
  end subroutine
end module
