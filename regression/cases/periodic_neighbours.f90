! head: a(y)/(x, y)
! head: b(y)/(x, y)
! head: c(y)/(x, y)
! head: d(y)/(x, y)
! head: e(y)/(x, y)
! head: f(y)/(x, y)
! head: g(y)/(x, y)
! head: h(y)/(x, y)
! head: k(y, z)/(x, y)
! head: l(y)/(x, y)
! head: r(u)/(x, u)
! size: n=7 m=5
! value: nt=2
! threads: 4
! acc: host
! Neighbours across the ends of a loop, by indices that wrap around; each of the increments is to an iteration's own element,
! though all of them aren't.
module m
  implicit none
contains
  ! By conditions behind.
  subroutine a(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i, ip, im
    !$omp parallel do private(ip, im)
    do i = 1, n
      ip = i + 1
      if (ip > n) ip = 1
      im = i - 1
      if (im < 1) im = n
      y(i) = y(i) + sin(x(ip))*x(im)
    end do
  end subroutine
  ! By choices; two away.
  subroutine b(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(0:n-1)
    real(8), intent(inout) :: y(0:n-1)
    integer :: i, ip, im
    !$omp parallel do private(ip, im)
    do i = 0, n - 1
      if (i + 2 >= n) then
        ip = i + 2 - n
      else
        ip = i + 2
      end if
      im = merge(n - 1, i - 1, i == 0)
      y(i) = y(i)*x(ip)*x(im) + x(i)
    end do
  end subroutine
  ! By remainders, in time steps.
  subroutine c(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: t(n)
    integer :: i, it
    do it = 1, nt
      !$omp parallel
      !$omp do
      do i = 1, n
        t(i) = y(mod(i, n) + 1)*y(modulo(i - 2, n) + 1) - x(mod(i - 3 + n, n) + 1)*y(i)
      end do
      !$omp do
      do i = 1, n
        y(i) = y(i) + 0.1d0*t(i)
      end do
      !$omp end parallel
    end do
  end subroutine
  ! In both directions of a plane, of which the outer one is shared out.
  subroutine d(n, m, x, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n, m)
    real(8), intent(inout) :: y(n, m)
    integer :: i, j, jp, jm, ip, im
    !$omp parallel do private(i, jp, jm, ip, im)
    do j = 1, m
      jp = mod(j, m) + 1
      jm = mod(j - 2 + m, m) + 1
      do i = 1, n
        ip = i + 1
        im = i - 1
        if (i == n) ip = 1
        if (i == 1) im = n
        y(i, j) = y(i, j) + x(ip, j)*x(im, j) + sin(x(i, jp))*x(i, jm)
      end do
    end do
  end subroutine
  ! The same shared out as a whole, under a condition, and with more that an iteration adds.
  subroutine e(n, m, x, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n, m)
    real(8), intent(inout) :: y(n, m)
    integer :: i, j
    real(8) :: s
    s = 0
    !$omp parallel do collapse(2) reduction(+:s)
    do j = 1, m
      do i = 1, n
        if (x(i, j) > 0.1d0) then
          y(i, j) = y(i, j)*x(mod(i, n) + 1, j) + x(i, mod(j, m) + 1)**2
        end if
        s = s + y(i, j)*x(i, j)
      end do
    end do
    y(1, 1) = y(1, 1)*s
  end subroutine
  ! On a device, with an expensive function, which a gather would compute again.
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i, ip
    !$acc parallel loop private(ip)
    do i = 1, n
      ip = i + 1
      if (i == n) ip = 1
      y(i) = y(i)*exp(x(ip)*x(i)) + flux(x(i), x(ip))
    end do
  end subroutine
  ! In any order, backwards, and by halves.
  subroutine g(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i
    do concurrent (i = 1:n)
      y(i) = y(i) + sin(x(i))*x(merge(1, i + 1, i >= n))
    end do
    do concurrent (i = 2:n:2)
      y(i) = y(i)*x(i/2)*x(i/2 + 1)
    end do
    !$omp parallel do
    do i = n, 1, -1
      y(i) = y(i)*x(mod(n - i, n) + 1)
    end do
  end subroutine
  ! What wraps around more than once, or not where the loop ends, meets others' elements.
  subroutine h(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i, ip, k
    !$omp parallel do private(ip, k)
    do i = 1, n
      ip = i + 1
      if (i > n - 2) ip = 1
      k = mod(i, 3) + 1
      y(i) = y(i)*x(ip)*x(k)
    end do
    !$omp parallel do private(ip)
    do i = 1, n
      ip = 1
      if (i > 2) ip = i/(i - 2)
      y(i) = y(i)*x(ip)
    end do
  end subroutine
  ! On a device, kept within bounds; iterations at the ends share an element with others.
  subroutine k(n, m, x, y, z)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n, m)
    real(8), intent(inout) :: y(n, m)
    real(8), intent(out) :: z(m)
    integer :: i, j, jp
    !$acc parallel loop collapse(2) private(jp)
    do j = 1, m
      do i = 1, n
        jp = j + 1
        if (j == m) jp = m
        y(i, j) = y(i, j)*flux(x(i, j), x(max(i - 1, 1), j)) + flux(x(min(i + 2, n), j), x(i, jp))
      end do
    end do
    !$acc parallel loop
    do j = m, 1, -1
      z(j) = exp(x(1, max(j - 2, 1)))*x(2, j) + exp(x(1, min(j + 1, m)))
    end do
  end subroutine
  ! By calls in time steps on threads.
  subroutine l(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: t(n)
    integer :: i, ip, im, it
    !$omp parallel private(i, ip, im, it)
    do it = 1, nt
      !$omp do
      do i = 1, n
        ip = i + 1
        im = i - 1
        if (ip > n) ip = 1
        if (im < 1) im = n
        t(i) = 0.5d0*(y(ip) + y(im)) - 0.1d0*(flux(y(ip), x(ip)) - flux(y(im), x(im)))
      end do
      !$omp do
      do i = 1, n
        y(i) = t(i)
      end do
    end do
    !$omp end parallel
  end subroutine
  ! On a device, points of one colour after those of the other, on two levels.
  subroutine r(n, m, x, u)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n, m)
    real(8), intent(inout) :: u(n, m)
    integer :: i, j, colour
    !$acc data copyin(x) copy(u)
    do colour = 0, 1
      !$acc parallel loop gang
      do j = 2, m - 1
        !$acc loop vector
        do i = 2, n - 1
          if (mod(i + j, 2) == colour) then
            u(i, j) = 0.25d0*(u(i-1, j) + u(i+1, j) + u(i, j-1) + u(i, j+1) - x(i, j))*u(i, j)
          end if
        end do
      end do
    end do
    !$acc end data
  end subroutine
  pure real(8) function flux(l, r)
    !$acc routine seq
    real(8), intent(in) :: l, r
    flux = l*r - 0.5d0*(r - l)**2
  end function
end module
