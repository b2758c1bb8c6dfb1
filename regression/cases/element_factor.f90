! head: m::with_sum(f)/(p,r)
! head: m::in_loops(f)/(p,r)
! head: m::two_factors(f,j)/(p,r)
! head: m::product(f)/(p,r)
! head: m::nested(f)/(p,q,r)
! Elements that stay the same in a loop, beside sums of the same operands.
module m
  implicit none
contains
  subroutine with_sum(p, r, f)
    real(8), intent(in) :: p(2), r(3)
    real(8), intent(out) :: f(3)
    f = p(1)*r + sum(r)
  end subroutine

  subroutine in_loops(p, r, f)
    real(8), intent(in) :: p(2), r(3)
    real(8), intent(out) :: f(3)
    integer :: i
    real(8) :: s
    s = 0
    do i = 1, 3
      s = s + r(i)
    end do
    do i = 1, 3
      f(i) = p(1)*r(i) + s
    end do
  end subroutine

  subroutine two_factors(p, r, f, j)
    real(8), intent(in) :: p(3), r(7)
    real(8), intent(out) :: f(7), j
    integer :: i
    real(8) :: s, t
    s = 0
    t = 0
    do i = 1, 7
      s = s + r(i)*p(2)
      t = t + r(i)**2
    end do
    do i = 1, 7
      f(i) = p(1)*r(i) + s*p(3) + p(2)*t
    end do
    j = s*t*p(1)
  end subroutine

  subroutine product(p, r, f)
    real(8), intent(in) :: p(2)
    real(8), intent(inout) :: r(5)
    real(8), intent(out) :: f(5)
    integer :: i
    real(8) :: s
    s = 1
    do i = 1, 5
      s = s*r(i)
    end do
    do i = 1, 5
      f(i) = p(1)*r(i) + s*p(2)
      r(i) = r(i)*p(2)
    end do
  end subroutine

  subroutine nested(p, q, r, f)
    real(8), intent(in) :: p(2), q(4), r(4, 3)
    real(8), intent(out) :: f(4, 3)
    integer :: i, k
    real(8) :: s(4)
    s = 0
    do k = 1, 3
      do i = 1, 4
        s(i) = s(i) + r(i, k)*q(k)
      end do
    end do
    do k = 1, 3
      do i = 1, 4
        f(i, k) = p(1)*r(i, k) + s(i)*q(1) + q(i)*p(2)
      end do
    end do
  end subroutine
end module
