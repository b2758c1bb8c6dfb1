! head: a(y, r)/(x, y)
! head: b(y)/(x, y)
! head: c(y)/(x, y)
! size: n=9
! threads: 4
! Loops that are left early, and that change where they began or by how much they step.
module m
  implicit none
contains
  subroutine a(n, x, y, r)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(3*n)
    real(8), intent(out) :: r
    integer :: i, first, pass
    first = 1
    do pass = 1, 3
      do i = first, n
        y(i) = y(i)**2*0.8d0 + x(i)
        if (y(i) > 0.9d0) then
          first = i + 1
          exit
        end if
      end do
      y(first) = y(first)*0.5d0
    end do
    r = sum(y**2)
  end subroutine
  subroutine b(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i, by, from
    by = 2
    from = 2
    do i = from, n, by
      y(i) = y(i)**2*x(i)
      by = 3
      from = i
      if (i > 5) exit
    end do
    y(from) = y(from)*y(1)
    do i = n, from, -by
      if (i < 4) return
      from = 1
      by = by + 1
      y(i) = sin(y(i))*x(1)
    end do
  end subroutine
  subroutine c(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i, j, k
    real(8) :: t
    !$omp parallel do private(j, k, t)
    do i = 1, n
      k = mod(i, 3) + 1
      t = y(i)
      do j = k, 6
        k = k + j
        t = t**2*x(i) + 0.1d0*j
        if (j == 4) exit
      end do
      y(i) = t*k
    end do
  end subroutine
end module
