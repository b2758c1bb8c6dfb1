! head: m::f(y)/(x)
! size: n=21
! threads: 4
! Loops in which pointers may be the same memory, of whose elements the primal's iterations touch none that another one assigns:
! time levels that change places, updates in place, two names of what is only read. And what is copied in to the threads'
! own variables, and pointers of their own to memory that is set before.
module m
  implicit none
  real(8), save :: par(2)
  !$omp threadprivate(par)
contains
  subroutine step(old, older, new, c, n)
    integer, intent(in) :: n
    real(8), pointer, intent(in) :: old(:), older(:), new(:)
    real(8), intent(in) :: c
    integer :: i
    !$omp parallel do
    do i = 2, n - 1
      new(i) = old(i + 1)*older(i - 1)*c + 0.3d0*older(i)
    end do
  end subroutine step
  subroutine inplace(p, q, n)
    integer, intent(in) :: n
    real(8), pointer, intent(in) :: p(:), q(:)
    integer :: i
    !$omp parallel do
    do i = 1, n
      q(i) = p(i)*p(i)*0.5d0 + 0.1d0*q(i)
      if (p(i) > 0.2d0) q(i) = sin(q(i))*p(i)
    end do
    !$omp parallel do
    do i = 1, n
      if (mod(i, 2) == 0) q(i) = p(i - 1)*q(i)
    end do
  end subroutine inplace
  subroutine own_pointers(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8), pointer :: p(:)
    real(8), target :: a(n + 1)
    integer :: i
    do i = 1, n
      a(i) = x(i)**2
    end do
    a(n + 1) = x(1)
    !$omp parallel do private(p)
    do i = 1, n
      p => a(i:i + 1)
      y(i) = y(i) + p(1)*p(2)*x(i)
    end do
  end subroutine own_pointers
  subroutine f(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), allocatable, target :: a(:), b(:), d(:)
    real(8), pointer :: p(:), q(:), r(:), old(:), new(:), tmp(:)
    integer :: i, it
    allocate(a(n), b(n), d(n))
    a = x; b = 0.2d0*x; d = 0.5d0
    p => a; q => a; r => b
    call step(p, q, r, 0.5d0, n)
    p => a; q => b; r => d
    call step(p, q, r, 0.7d0, n)
    p => d; q => d
    call inplace(p, q, n)
    p => d; q => b
    call inplace(p, q, n)
    old => a; new => b
    do it = 1, 3
      !$omp parallel do
      do i = 2, n - 1
        new(i) = old(i) + 0.1d0*(old(i - 1) - old(i + 1))*old(i)*d(i)
      end do
      !$omp parallel do
      do i = 1, n
        if (old(i) > 0.6d0) new(i) = new(i)*0.9d0 + old(1+mod(i*3, n))*0.1d0
      end do
      new(1) = old(1); new(n) = old(n)
      tmp => old; old => new; new => tmp
    end do
    y = old**2 + d
    call own_pointers(x, y, n)
    par(1) = x(1)
    par(2) = x(2)*2
    !$omp parallel do copyin(par)
    do i = 1, n
      y(i) = y(i)*par(1) + par(2)
    end do
  end subroutine f
end module m
