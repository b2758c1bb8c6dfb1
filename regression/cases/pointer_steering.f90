! head: m::f(y)/(x)
! size: n=5
! unknown trip counts, early exits, pointers swapped under conditions, integer and logical pointers that steer
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), target :: a(n), b(n)
    real(8), pointer :: p(:), q(:), t(:)
    integer, target :: k1, k2
    integer, pointer :: kp
    logical, target :: l1
    logical, pointer :: lp
    integer :: it
    a = x; b = x*x
    k1 = 1; k2 = 2
    kp => k1
    lp => l1
    p => a
    q => b
    it = 0
    do
      it = it + 1
      l1 = mod(it, 2) == 0
      p(kp) = p(kp)*q(kp+1) + sin(q(kp))
      if (lp) then
        t => p; p => q; q => t
        kp => k2
      else
        kp = kp + 1
        if (kp > n - 1) kp = 1
      end if
      k2 = k1
      if (it > 7) exit
      if (sum(p) > 1d3) exit
    end do
    y = p + 2*q
  end subroutine f
end module m
