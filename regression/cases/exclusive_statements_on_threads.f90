! Statements that threads run by turns: they get loops of their own, what is around them stays parallel.
! head: m::f(y,s)/(x)
! size: n=13
! threads: 4
module m
  !$ use omp_lib
  implicit none
  type bin
    real(8), allocatable :: v(:)
  end type
contains
  ! The order of iterations counts.
  subroutine in_order(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: acc, t, e(n + 2)
    integer :: i, j
    acc = 1
    !$omp parallel do ordered schedule(static, 1) private(t, j)
    do i = 1, n
      t = 0
      do j = 1, 3
        t = t + x(i)**j
      end do
      !$omp ordered
      acc = acc*0.9d0 + t*x(i)
      t = t*acc
      !$omp end ordered
      y(i) = y(i) + sin(t)
    end do
    e = 0
    !$omp parallel do ordered
    do i = n, 1, -1
      if (mod(i, 3) > 0) then
        y(i) = y(i)*x(i)
        !$omp ordered
        e(1 + mod(i, 5)) = e(1 + mod(i, 5))*x(i) + y(i)
        !$omp end ordered
        y(i) = y(i) + x(i)
      else
        y(i) = cos(y(i))
      end if
    end do
    y(1) = y(1) + sum(e)
    acc = 0
    !$omp parallel do simd reduction(inscan, +:acc)
    do i = 1, n
      acc = acc + x(i)**2/n
      !$omp scan inclusive(acc)
      y(i) = y(i) + acc*x(i)
    end do
    y(n) = y(n) + acc
  end subroutine

  ! Places in lists, in their order on one thread.
  subroutine places(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: list(n), keys(n)
    integer :: i, count, at
    count = 0
    list = 0
    !$omp parallel do private(at) num_threads(1)
    do i = 1, n
      if (x(i) > -0.5d0) then
        !$omp atomic capture
        count = count + 1
        at = count
        !$omp end atomic
        list(at) = x(i)**2
        keys(at) = x(i)
      end if
    end do
    !$omp parallel do
    do i = 1, count
      y(i) = y(i)*list(i) + keys(i)
    end do
  end subroutine

  ! The largest values and where they are, products, and what locks guard.
  subroutine together(n, x, y, s)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n), s
    !$ integer(omp_lock_kind) :: lock(4)
    real(8) :: best, top(3), low(2, 2), prod(4), t
    type(bin) :: b
    integer :: i, j, k, place
    best = -1
    place = 1
    !$omp parallel do
    do i = 1, n
      y(i) = y(i) + x(i)**2
      !$omp critical (find)
      if (x(i)*cos(x(i)) > best) then
        best = x(i)*cos(x(i))
        place = i
      end if
      !$omp end critical (find)
    end do
    top = -huge(1d0)
    low = 10
    !$omp parallel do reduction(max: top) reduction(min: low) private(j, t)
    do i = 1, n
      t = x(i)**3
      top(1 + mod(i, 3)) = max(top(1 + mod(i, 3)), t + x(i))
      do j = 1, 2
        low(j, 1) = min(low(j, 1), t*j)
        if (t < low(j, 2)) low(j, 2) = t
      end do
      y(i) = y(i) + t
    end do
    prod = 1
    allocate (b%v(4))
    b%v = 0.5d0
    !$ do k = 1, 4
    !$ call omp_init_lock(lock(k))
    !$ end do
    !$omp parallel private(k)
    !$omp do
    do i = 1, n
      k = 1 + mod(i*i, 4)
      !$omp atomic
      prod(k) = prod(k)*(1 + 0.1d0*sin(x(i)))
      !$omp atomic update
      s = max(s, x(i)*y(i))
    end do
    !$omp do
    do i = 1, n
      k = 1 + mod(i, 4)
      !$ call omp_set_lock(lock(k))
      b%v(k) = b%v(k)*(1 + x(i)**2/n)
      !$ call omp_unset_lock(lock(k))
      y(i) = y(i)*x(place)
    end do
    !$omp end parallel
    !$ do k = 1, 4
    !$ call omp_destroy_lock(lock(k))
    !$ end do
    if (n > 0) s = s + best*x(place) + sum(top) + sum(low)
    s = s + sum(prod*b%v)
  end subroutine

  ! Exclusive statements of the same variables, with something between them, and what keeps the last iteration's value.
  subroutine twice(n, x, y, s)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n), s
    real(8) :: state, t, u, w(3, 2)
    integer :: i, j, k, free(2), top
    character(1) :: digits(3)
    state = 1
    !$omp parallel do private(t, u) num_threads(1)
    do i = 1, n
      t = x(i)**2
      !$omp critical
      state = state*0.9d0 + t
      !$omp end critical
      t = t*x(i)
      !$omp critical
      u = state
      !$omp end critical
      y(i) = y(i)*u*t
    end do
    free = [1, 2]
    top = 2
    !$omp parallel do private(j, k, t) num_threads(2)
    do i = 1, n
      !$omp critical (pool)
      k = free(top)
      top = top - 1
      !$omp end critical (pool)
      do j = 1, 3
        w(j, k) = x(i)**j
      end do
      t = w(1, k)*w(2, k) + w(3, k)
      !$omp critical (pool)
      top = top + 1
      free(top) = k
      !$omp end critical (pool)
      y(i) = y(i) + t
    end do
    ! Counts of loops, and what is read, are of use behind.
    !$omp parallel do private(j, k, t)
    do i = 1, n
      do k = 1, 3
        if (k*x(i) > 0.3d0) exit
      end do
      t = x(i)*k
      !$omp critical
      do j = 1, 2
        s = max(s, t*j)
      end do
      !$omp end critical
      y(i) = y(i) + t*k*j
    end do
    digits = ['4', '7', '2']
    !$omp parallel do private(k)
    do i = 1, n
      read (digits(1 + mod(i, 3)), *) k
      !$omp critical
      s = max(s, k*x(i))
      !$omp end critical
      y(i) = y(i)*(1 + 0.1d0*k)
    end do
    t = 0
    !$omp parallel do lastprivate(t) num_threads(1)
    do i = 1, n
      t = x(i)**2
      !$omp atomic
      s = s*(1 + t/n)
      y(i) = y(i)*t
    end do
    s = s + t
  end subroutine

  ! Elements of one array that sections set side by side.
  subroutine sections(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: a(2), t
    integer :: i
    a = 0
    !$omp parallel sections private(t, i)
    !$omp section
    t = 0
    do i = 1, n, 2
      t = t + x(i)**2
    end do
    a(1) = t*t
    !$omp section
    t = 0
    do i = 2, n, 2
      t = t + sin(x(i))
    end do
    a(2) = t*x(1)
    !$omp end parallel sections
    do i = 1, n
      y(i) = y(i)*(a(1) + a(2))/n
    end do
  end subroutine

  subroutine f(n, x, y, s)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n), s
    y = 1
    s = -10
    call in_order(n, x, y)
    call places(n, x, y)
    call together(n, x, y, s)
    call together(0, x, y, s)
    call twice(n, x, y, s)
    call sections(n, x, y)
  end subroutine
end module
