! The bounds of an inner loop change in it: they are kept for each iteration of the loops around.
! head: m::f(y)/(x)
! size: n=6
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    integer :: j
    integer :: k
    integer :: m1
    real(8) :: s1
    real(8) :: r
    integer :: lhi
    real(8) :: lha(n)
    y = 0.7d0*x
    m1 = (n + 1)/2
    s1 = 0.5d0*x(1)
    r = 0.4d0
    lhi = 1
    lha = 0.3d0*x
    call lhone(s1)
    loop1: do i = n-1, 2, -1
      loop2: do j = 1, i
        loop5: do k = 1, m1
          select case (mod(k, 4))
          case (:0)
            r = sin(r*s1 - 0.2d0)
          case (3:)
            m1 = mod(m1 + i, n) + 1
          end select
        end do loop5
      end do loop2
    end do loop1
    s1 = sin(s1*r)
    y(1) = y(1) + 0.2d0*sin(s1)
  contains
    subroutine lhone(r)
      real(8), intent(inout) :: r
      r = sin(r + lha(min(n, lhi)))
      lha(min(n, lhi)) = cos(r)
    end subroutine lhone
  end subroutine f
end module m
