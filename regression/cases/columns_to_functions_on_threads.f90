! Columns of arrays of assumed shape that iterations pass to functions, several of them the same ones: what their adjoints
! add to them is added by element. Work arrays of a team that stand in two of its loops, and copies that are assigned anew.
! head: m::f(y)/(q)
! size: n=9
! threads: 4
module m
  implicit none
contains
  pure function flux(l, r) result(w)
    real(8), intent(in) :: l(2), r(2)
    real(8) :: w(2)
    w(1) = l(1)*r(2) + sin(l(2))
    w(2) = sqrt(1 + l(1)**2 + r(1)**2)
  end function

  pure real(8) function total(v)
    real(8), intent(in) :: v(0:2)
    total = v(0)*v(1) + v(2)**2
  end function

  subroutine sums(q, at, y)
    real(8), intent(in) :: q(:, 0:)
    integer, intent(in) :: at(:)
    real(8), intent(inout) :: y(:)
    real(8) :: w(2, size(at)), d(2), a(2), c(3)
    integer :: i, j, n
    n = size(at)
    !$omp parallel do
    do i = 1, n
      w(:, i) = flux(q(:, at(i)), q(:, at(1 + mod(i, n))))*0.5d0
      y(i) = y(i) + total(q(1:2*i + 1:i, at(i)))
    end do
    !$omp parallel private(i, j, d, a)
    !$omp do
    do i = 1, n
      do j = 1, n, 2
        d = w(:, i) - w(:, j)
        y(i) = y(i) + d(1)*d(2)
      end do
    end do
    !$omp do
    do i = 1, n
      a = 0
      do j = 1, n, 2
        if (j /= i) then
          d = w(:, i) - w(:, j)
          a = a + d*exp(-d(1)**2)
        end if
      end do
      y(i) = y(i) + sum(a)
    end do
    !$omp end parallel
    c = 1
    !$omp parallel do firstprivate(c) private(j)
    do i = 1, n
      do j = 1, 3
        c(j) = y(i)**j
      end do
      y(i) = sum(c)*c(2)
    end do
  end subroutine

  subroutine f(q, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: q(2, n)
    real(8), intent(out) :: y(n)
    real(8) :: p(9*n, 0:n - 1)
    integer :: i, at(n)
    p = 0.3d0
    p(1:2, :) = q*0.2d0
    y = 0
    at = [(mod(i, 3), i = 1, n)]
    call sums(p(1:2*n + 2, :), at, y)
  end subroutine
end module
