! head: m::f(y)/(x)
! Procedures divide one common block in different ways.
module m
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(6)
    real(8), intent(out) :: y
    real(8) :: w(2, 3)
    common /work/ w
    integer :: i
    do i = 1, 3
      w(:, i) = x(2*i-1:2*i)*i
    end do
    call scale(x(1))
    call mix
    y = sum(w)*w(2, 2)
  end subroutine f
  subroutine scale(s)
    real(8), intent(in) :: s
    real(8) :: a(4), b, c
    common /work/ a, b, c
    a(2) = a(2)*s + b
    b = c*a(3)
    c = c + a(4)**2
  end subroutine scale
  subroutine mix
    real(8) :: head, body(4), last, alias(2)
    common /work/ head, body, last
    equivalence (alias(1), body(4))
    head = head*alias(2)
    body(1) = body(2)*last
    alias = alias*head
    last = last + body(1)
  end subroutine mix
end module m
