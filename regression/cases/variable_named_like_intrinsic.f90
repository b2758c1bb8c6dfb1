! head: m::f(y,a)/(a)
! size: n=6
! A variable of the user's has the name of an intrinsic function that generated code calls.
module m
contains
  subroutine f(n, a, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(:, :)
    real(8), intent(out) :: y
    integer :: lbound, ns, j
    lbound = 2
    ns = 1
    j = 1
    do
      call one()
      if (ns >= n) exit
    end do
    y = sum(a**2)
  contains
    subroutine one()
      integer :: jz, jj
      do jz = 1, 2
        jj = jz + 1
        a(ns:n, jj) = a(ns:n, jj)*a(lbound, j) + a(ns:n, jz)
      end do
      ns = ns + 1
    end subroutine
  end subroutine
end module
