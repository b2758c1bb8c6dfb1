! Arrays of whose elements no two iterations touch the same: what an iteration assigns is of no use to the adjoints of the
! others. In every second procedure some iterations do share elements, in ways that are easy to overlook.
! head: disjoint_elements::in_place(t)/(t)
! head: disjoint_elements::neighbour(t)/(t)
! head: disjoint_elements::downwards(t)/(t)
! head: disjoint_elements::mirrored(t)/(t)
! head: disjoint_elements::twice(t)/(t)
! head: disjoint_elements::by_table(t)/(t)
! head: disjoint_elements::of_use_after(t, s)/(t)
! head: disjoint_elements::of_use_in_next(t, s)/(t)
! head: disjoint_elements::diagonal(u)/(u)
! head: disjoint_elements::corner(u)/(u)
! head: disjoint_elements::nested(u)/(u)
! head: disjoint_elements::outer_repeats(u)/(u)
! head: disjoint_elements::calls_by_column(u)/(u)
! head: disjoint_elements::calls_with_left(u)/(u)
! head: disjoint_elements::passed_elements(t)/(t)
! head: disjoint_elements::passed_sequences(t)/(t)
! head: disjoint_elements::by_module(t)/(t)
! head: disjoint_elements::with_exit(t)/(t)
! head: disjoint_elements::index_of_callee(t)/(t)
! head: disjoint_elements::through_pointer(t)/(t)
! head: disjoint_elements::values_of_function(t)/(t)
! head: disjoint_elements::branches(t)/(t)
! head: disjoint_elements::no_iterations(t)/(t)
! head: disjoint_elements::even_and_odd(t)/(t)
module disjoint_elements
  implicit none
  integer, parameter :: n = 6, m = 4
  real(8), target :: shared(n) = 0.5d0
contains
  subroutine in_place(t)
    real(8), intent(inout) :: t(n)
    integer :: i
    do i = 1, n
      t(i) = t(i)*exp(-t(i))
      t(i) = sin(t(i))*t(i)
    end do
  end subroutine in_place

  subroutine neighbour(t)
    real(8), intent(inout) :: t(n)
    integer :: i
    do i = 2, n
      t(i) = t(i)*exp(-t(i))
      t(i-1) = t(i-1)*cos(t(i))
    end do
  end subroutine neighbour

  subroutine downwards(t)
    real(8), intent(inout) :: t(n)
    integer :: i
    do i = n, 1, -2
      t(i) = t(i)**2 + sin(t(i))
    end do
  end subroutine downwards

  subroutine mirrored(t)
    real(8), intent(inout) :: t(n)
    integer :: i
    do i = 1, n
      t(i) = t(i)*t(n-i+1)
    end do
  end subroutine mirrored

  subroutine twice(t)
    real(8), intent(inout) :: t(n)
    integer :: i, k
    do k = 1, 3
      do i = 1, n
        t(i) = t(i)*exp(-t(i))
      end do
    end do
  end subroutine twice

  subroutine by_table(t)
    real(8), intent(inout) :: t(n)
    integer :: i, at(n)
    at = [1, 3, 3, 2, 1, 6]
    do i = 1, n
      t(at(i)) = t(at(i))*exp(-t(at(i)))
    end do
  end subroutine by_table

  subroutine of_use_after(t, s)
    real(8), intent(inout) :: t(n)
    real(8), intent(out) :: s
    integer :: i
    do i = 1, n
      t(i) = t(i)*exp(-t(i))
    end do
    s = 1d0
    do i = 1, n
      s = s*t(i)
    end do
  end subroutine of_use_after

  subroutine of_use_in_next(t, s)
    real(8), intent(inout) :: t(n)
    real(8), intent(out) :: s
    integer :: i
    s = 1d0
    do i = 1, n
      s = s*t(i)
      t(i) = t(i)*exp(-t(i))*s
    end do
  end subroutine of_use_in_next

  subroutine diagonal(u)
    real(8), intent(inout) :: u(n, n)
    integer :: i
    do i = 1, n
      u(i, i) = u(i, i)*sin(u(i, i))
    end do
  end subroutine diagonal

  subroutine corner(u)
    real(8), intent(inout) :: u(n, n)
    integer :: i, j
    do i = 1, n
      do j = 1, n
        u(i, j) = u(i, j)*sin(u(j, i))
      end do
    end do
  end subroutine corner

  subroutine nested(u)
    real(8), intent(inout) :: u(n, m)
    integer :: i, j
    do j = 1, m
      do i = 1, n - 1
        u(i, j) = u(i, j)*cos(u(i+1, j))
      end do
      u(n, j) = u(n, j)**2
    end do
  end subroutine nested

  subroutine outer_repeats(u)
    real(8), intent(inout) :: u(n, m)
    integer :: i, j
    do j = 2, m
      do i = 1, n
        u(i, j) = u(i, j)*cos(u(i, j))
        u(i, 1) = u(i, 1)*u(i, j)
      end do
    end do
  end subroutine outer_repeats

  subroutine column(k, u)
    integer, intent(in) :: k
    real(8), intent(inout) :: u(n, m)
    integer :: i
    do i = 1, n
      u(i, k) = u(i, k)*exp(-0.1d0*u(i, k))
    end do
    u(1, k) = u(1, k)*u(n, k)
  end subroutine column

  subroutine calls_by_column(u)
    real(8), intent(inout) :: u(n, m)
    integer :: k
    do k = 1, m
      call column(k, u)
    end do
    do k = m, 1, -1
      call column(k, u)
      u(:, k) = u(:, k)*u(2, k)
    end do
  end subroutine calls_by_column

  subroutine with_left(k, u)
    integer, intent(in) :: k
    real(8), intent(inout) :: u(:, 0:)
    integer :: i
    do i = 1, size(u, 1)
      u(i, k) = u(i, k)*exp(-0.1d0*u(i, k-1))
    end do
  end subroutine with_left

  subroutine calls_with_left(u)
    real(8), intent(inout) :: u(n, m)
    integer :: k
    do k = 1, m - 1
      call with_left(k, u)
    end do
  end subroutine calls_with_left

  subroutine element(x)
    real(8), intent(inout) :: x
    x = x*exp(-x)
  end subroutine element

  subroutine passed_elements(t)
    real(8), intent(inout) :: t(n)
    integer :: i
    do i = 1, n
      call element(t(i))
    end do
  end subroutine passed_elements

  subroutine sequence(x)
    real(8), intent(inout) :: x(2)
    x(1) = x(1)*exp(-x(2))
  end subroutine sequence

  subroutine passed_sequences(t)
    real(8), intent(inout) :: t(n)
    integer :: i
    do i = 1, n - 1
      call sequence(t(i))
    end do
  end subroutine passed_sequences

  subroutine use_module(i)
    integer, intent(in) :: i
    shared(i) = shared(i)*exp(-shared(mod(i, n) + 1))
  end subroutine use_module

  subroutine by_module(t)
    real(8), intent(inout) :: t(n)
    integer :: i
    shared = t
    do i = 1, n
      shared(i) = shared(i)**2
      call use_module(i)
    end do
    t = shared
  end subroutine by_module

  subroutine with_exit(t)
    real(8), intent(inout) :: t(n)
    integer :: i
    do i = 1, n
      t(i) = t(i)*exp(-t(i))
      if (t(i) > 10d0*i) exit
      t(i) = t(i)*sin(t(i))
    end do
  end subroutine with_exit

  subroutine next(k)
    integer, intent(inout) :: k
    k = mod(k, 3) + 1
  end subroutine next

  subroutine index_of_callee(t)
    real(8), intent(inout) :: t(n)
    integer :: i, k
    k = 1
    do i = 1, n
      t(k) = t(k)*exp(-t(k))
      call next(k)
    end do
  end subroutine index_of_callee

  subroutine through_pointer(t)
    real(8), intent(inout), target :: t(n)
    real(8), pointer :: p(:)
    integer :: i
    p => t(n:1:-1)
    do i = 1, n
      t(i) = t(i)*exp(-t(i))
      p(i) = p(i)*cos(p(i))
    end do
  end subroutine through_pointer

  real(8) function sum_of(i, x)
    integer, intent(in) :: i
    real(8), intent(in) :: x(n)
    sum_of = x(i)*x(max(i - 1, 1))
  end function sum_of

  subroutine values_of_function(t)
    real(8), intent(inout) :: t(n)
    integer :: i
    do i = 1, n
      t(i) = t(i)*sin(t(i)) + sum_of(i, t)
    end do
  end subroutine values_of_function

  subroutine branches(t)
    real(8), intent(inout) :: t(n)
    integer :: i
    do i = 1, n
      if (t(i) > 0.4d0) then
        t(i) = t(i)*exp(-t(i))
      else if (i > 3) then
        t(i) = t(i)**3 + t(i)
      end if
      select case (i)
      case (2:4)
        t(i) = sin(t(i))*t(i)
      end select
    end do
  end subroutine branches

  subroutine no_iterations(t)
    real(8), intent(inout) :: t(n)
    integer :: i
    do i = n, 1
      t(i) = t(i)*exp(-t(i))
    end do
    do i = 1, n
      t(i) = t(i)*t(i)
    end do
  end subroutine no_iterations

  subroutine even_and_odd(t)
    real(8), intent(inout) :: t(n)
    integer :: i
    do i = 1, n/2
      t(2*i) = t(2*i)*sin(t(2*i-1))
      t(2*i-1) = t(2*i-1)*cos(t(2*i))
    end do
    do i = 1, n/2
      t(2*i) = t(2*i)*sin(t(i))
    end do
  end subroutine even_and_odd
end module disjoint_elements
