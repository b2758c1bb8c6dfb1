! head: m::f(y)/(x)
! loose: it copies an element that has no value yet
! Parts of arrays, scalars and steering integers share memory by equivalence.
module m
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(6)
    real(8), intent(out) :: y(3)
    real(8) :: a(6), b(3), c(2,2), s, t, u(4), v
    integer :: i, k, idx(3), first
    equivalence (a(2), b), (a(3), c(1,1)), (s, t), (u(2), v), (idx(1), first)
    idx = [1, 2, 3]
    do i = 1, 6
      a(i) = x(i)*i
    end do
    b(2) = b(1)*b(3)
    c(2,1) = c(1,1) + a(4)*x(2)
    s = c(2,2)*x(1)
    do k = 1, 3
      t = t*a(k) + b(k)
      b(k) = s*x(k)
      first = mod(first, 3) + 1
      u(idx(1)) = t + b(idx(1))
      v = v + u(2)*x(k)
      u(3) = v*s
      u(4) = u(1)
    end do
    y(1) = s + sum(a)
    y(2) = t*v + u(3)
    y(3) = c(1,2)*b(3)*first
    s = 1
    y(3) = y(3)*t
  end subroutine f
end module m
