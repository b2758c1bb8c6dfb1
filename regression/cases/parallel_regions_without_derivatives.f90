! head: m::tables(y)/(x)
! head: m::last_values(y)/(x)
! head: m::counted(y)/(x)
! head: m::overwritten(y)/(x)
! head: m::chunks(y)/(x)
! head: m::cleared(y)/(x)
! head: m::in_sections(y)/(x)
! head: m::by_master(y)/(x)
! head: m::by_function(y)/(x)
! head: m::steps(x,y)/(x)
! head: m::orphans(y)/(x)
! size: n=6
! Regions of OpenMP, and loops whose iterations it shares out, in which derivatives have no part: they stand in both sweeps
! as they are.
module m
  implicit none
contains
  subroutine tables(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, k(n)
    real(8) :: w(n), t
    t = 2.0d0
    !$omp parallel do private(t) shared(w, k)
    do i = 1, n
      t = 0.5d0*i
      w(i) = t
      k(i) = n + 1 - i
    end do
    !$omp end parallel do
    do i = 1, n
      y(i) = t*x(k(i))**2*w(i)
    end do
  end subroutine tables

  subroutine last_values(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: t
    t = 3.0d0
    !$omp parallel do lastprivate(t)
    do i = 1, 0
      t = 0.5d0*i
    end do
    !$omp end parallel do
    do i = 1, n
      y(i) = t*x(i)**2
    end do
    !$omp parallel do lastprivate(t)
    do i = 1, n
      t = 0.5d0*i
    end do
    !$omp end parallel do
    do i = 1, n
      y(i) = y(i) + t*x(i)**3
    end do
  end subroutine last_values

  subroutine counted(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, s
    real(8) :: c(n)
    !$omp simd
    do i = 1, n
      c(i) = 1.0d0/i
    end do
    s = 1
    !$omp parallel do reduction(+: s)
    do i = 1, n
      if (c(i) > 0.3d0) s = s + 1
    end do
    !$omp end parallel do
    if (s > 3) then
      do i = 1, n
        y(i) = s*x(i)**2
      end do
    else
      y = x
    end if
    s = 7
    do i = 1, n
      y(i) = y(i)*x(i) + s
    end do
  end subroutine counted

  subroutine steps(x, y, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, it
    real(8) :: c(n), d(n)
    c = 1.0d0
    do it = 1, 4
      !$omp parallel private(i)
      !$omp do
      do i = 1, n
        c(i) = c(i)*0.9d0 + it
      end do
      !$omp end do nowait
      !$omp single
      c(1) = 0.5d0
      !$omp end single
      !$omp barrier
      !$omp do
      do i = 2, n
        d(i) = c(i) - c(1)
      end do
      !$omp end do
      !$omp end parallel
      d(1) = 1.0d0
      do i = 1, n
        x(i) = sin(0.1d0*x(i)*c(i)) + 0.1d0*d(i)*x(i)
      end do
    end do
    y = x*x
  end subroutine steps

  subroutine overwritten(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: a(n), b(n), q
    a = 2.0d0
    b = 5.0d0
    do i = 1, n
      y(i) = a(i)*x(i)**2 + b(i)
    end do
    !$omp parallel do schedule(static, 2) default(none) shared(a, b, n) private(q)
    do i = 1, n
      q = i
      a(i) = q
      b(i) = 0.0d0
    end do
    !$omp end parallel do
    do i = 1, n
      y(i) = y(i)*a(i)*x(i)
    end do
  end subroutine overwritten

  subroutine chunks(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, chunk, nt, unused
    real(8) :: a(n)
    chunk = max(1, n/2)
    nt = 2
    !$omp parallel do schedule(dynamic, chunk) num_threads(nt) if(n > chunk) private(unused)
    do i = 1, n
      a(i) = i
    end do
    chunk = 9
    do i = 1, n
      y(i) = chunk*a(i)*x(i)**2
    end do
  end subroutine chunks

  subroutine cleared(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    !$omp parallel do
    do i = 1, n
      y(i) = 0
    end do
    do i = 1, n
      y(i) = y(i) + x(i)**2
    end do
  end subroutine cleared

  subroutine in_sections(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: a(n), b(n)
    !$omp parallel sections private(i)
    !$omp section
    do i = 1, n
      a(i) = i
    end do
    !$omp section
    b = 2.0d0
    !$omp end parallel sections
    !$omp parallel workshare
    a(:) = a + b
    where (a > 5.0d0) a = 0.5d0
    !$omp end parallel workshare
    do i = 1, n
      y(i) = a(i)*b(i)*x(i)**2
    end do
  end subroutine in_sections

  subroutine by_master(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, j
    character(9) :: text
    !$omp parallel
    !$omp master
    write(text, '(i9)') n
    !$omp end master
    !$omp end parallel
    read(text, *) j
    do i = 1, n
      y(i) = j*x(i)**2
    end do
  end subroutine by_master

  real(8) function h(i)
    integer, intent(in) :: i
    h = sqrt(1.0d0*i)
  end function h
  subroutine by_function(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: a(n)
    !$omp parallel do
    do i = 1, n
      a(i) = 1 + h(i)*2
    end do
    do i = 1, n
      y(i) = a(i)*x(i)**2
    end do
  end subroutine by_function

  subroutine fill(a, n, s)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n)
    real(8), intent(in) :: s
    integer :: i
    !$omp do
    do i = 1, n
      a(i) = a(i) + s*i
    end do
    !$omp end do
  end subroutine fill
  subroutine squares(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: a(n)
    a = 0
    !$omp parallel
    call fill(a, n, 2.0d0)
    !$omp end parallel
    do i = 1, n
      y(i) = a(i)*x(i)**2
    end do
    call fill(a, n, 1.0d0)
    do i = 1, n
      y(i) = y(i) + a(i)*x(i)**3
    end do
  end subroutine squares
  subroutine orphans(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: z(n)
    call squares(x, z, n)
    call squares(z, y, n)
  end subroutine orphans
end module m
