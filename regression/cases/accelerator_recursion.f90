! head: squares(y)/(x)
! head: swapped(y)/(x)
! head: cycle(y)/(x)
! head: targets(y)/(x)
! head: both_sides(y)/(x)
! size: n=8
! acc: host
! Procedures with loops for a device that call themselves, or each other: what they use there is found out for all of them at once.
module recursions
  implicit none
contains
  subroutine squares(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    y = x
    call square(n, y, 3)
    !$acc parallel loop
    do i = 1, n
      y(i) = y(i)*x(i)
    end do
    call square(n, y, 1)
  end subroutine squares

  recursive subroutine square(n, u, l)
    integer, intent(in) :: n, l
    real(8), intent(inout) :: u(n)
    integer :: i
    !$acc parallel loop
    do i = 1, n
      u(i) = u(i)*u(i)
    end do
    if (l > 1) call square(n, u, l - 1)
  end subroutine square

  ! Each call has the arguments the other way round, and relies on finding one of them.
  subroutine swapped(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n), b(n)
    a = x
    b = 0.3d0*x + 0.2d0
    !$acc data copy(a, b)
    call turn(n, a, b, 3)
    !$acc end data
    y = a*b
  end subroutine swapped

  recursive subroutine turn(n, u, v, l)
    integer, intent(in) :: n, l
    real(8), intent(inout) :: u(n), v(n)
    integer :: i
    if (l == 0) return
    !$acc parallel loop present(u, v)
    do i = 1, n
      u(i) = 0.5d0*u(i)*v(i) + 0.2d0
    end do
    !$acc update self(u)
    call turn(n, v, u, l - 1)
    !$acc parallel loop present(v)
    do i = 1, n
      v(i) = v(i) + 0.1d0*u(max(i - 1, 1))
    end do
  end subroutine turn

  subroutine cycle(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    y = 0
    call levels(n, x, y)
  end subroutine cycle

  recursive subroutine levels(n, f, u)
    integer, intent(in) :: n
    real(8), intent(in) :: f(n)
    real(8), intent(inout) :: u(n)
    real(8) :: coarse(n/2), rest(n/2)
    integer :: i
    !$acc data create(coarse, rest) copyin(f) copy(u)
    !$acc parallel loop
    do i = 1, n
      u(i) = u(i) + 0.4d0*(f(i) - u(i)*u(i))
    end do
    if (n > 2) then
      !$acc parallel loop
      do i = 1, n/2
        rest(i) = f(2*i) - u(2*i)*u(2*i - 1)
        coarse(i) = 0
      end do
      call levels(n/2, rest, coarse)
      !$acc parallel loop
      do i = 1, n/2
        u(2*i) = u(2*i) + coarse(i)
        u(2*i - 1) = u(2*i - 1) + 0.5d0*coarse(i)
      end do
    end if
    !$acc end data
  end subroutine levels

  ! Two that call each other.
  subroutine targets(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    y = x
    call even(n, y, 3)
  end subroutine targets

  recursive subroutine even(n, u, l)
    integer, intent(in) :: n, l
    real(8), intent(inout) :: u(n)
    integer :: i
    !$omp target teams distribute parallel do
    do i = 1, n
      u(i) = sin(u(i))
    end do
    if (l > 0) call odd(n, u, l - 1)
  end subroutine even

  recursive subroutine odd(n, u, l)
    integer, intent(in) :: n, l
    real(8), intent(inout) :: u(n)
    integer :: i
    if (l > 0) call even(n, u, l - 1)
    !$omp target teams distribute parallel do
    do i = 1, n
      u(i) = u(i)*u(i) + 0.3d0
    end do
  end subroutine odd

  ! The host works before a call of itself, the device behind it, and saves of the adjoint are the host's.
  recursive subroutine swing(n, u, v, z, p, l)
    integer, intent(in) :: n, l
    real(8), intent(inout) :: u(n), v(n), z(n), p
    real(8) :: r
    integer :: i
    r = 0.3d0
    do i = 1, n
      z(i) = 0.5d0*sin(z(i)*v(max(i - 1, 1)) + p) + 0.3d0*u(i)
    end do
    if (l > 0) call swing(n, u, z, v, r, l - 1)
    call after(n, u, r)
  end subroutine swing

  subroutine after(n, u, p)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n), p
    integer :: i
    !$acc parallel loop
    do i = 1, n
      u(i) = 0.5d0*sin(u(i)*u(i) + p) + 0.3d0*u(i)
    end do
    !$acc parallel loop
    do i = 1, n
      u(i) = 0.3d0*u(i)**2 + 0.4d0*u(i)
    end do
  end subroutine after

  subroutine both_sides(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), allocatable :: b(:), g(:), h(:)
    real(8) :: p
    p = 0.4d0*x(1)
    b = 0.5d0 + 0.3d0*sin(x)
    g = 0.4d0*x + 0.1d0
    h = cos(x)*0.5d0
    call swing(n, b, h, g, p, 2)
    y = b*p + g*0.3d0 + h*g(n:1:-1)
  end subroutine both_sides
end module recursions
