! head: f(c)/(k, c)
! head: g(c)/(k, c)
! size: n=6
! threads: 4
! Private arrays that procedures work on between limits: each iteration begins them anew.
module m
  implicit none
  integer, parameter :: ns = 3
contains
  subroutine tendencies(k, y, r, jac)
    real(8), intent(in) :: k(3), y(ns)
    real(8), intent(out) :: r(ns), jac(ns,ns)
    r(1) = -k(1)*y(1) + k(2)*y(2)*y(3)
    r(2) = k(1)*y(1) - k(2)*y(2)*y(3) - k(3)*y(2)**2
    r(3) = k(3)*y(2)**2
    jac = 0
    jac(1,1) = -k(1); jac(1,2) = k(2)*y(3); jac(1,3) = k(2)*y(2)
    jac(2,1) = k(1); jac(2,2) = -k(2)*y(3) - 2*k(3)*y(2); jac(2,3) = -k(2)*y(2)
    jac(3,2) = 2*k(3)*y(2)
  end subroutine
  subroutine solve(jac, b)
    real(8), intent(inout) :: jac(ns,ns), b(ns)
    real(8) :: fac
    integer :: i, j
    jac = -0.1d0*jac
    do i = 1, ns
      jac(i,i) = jac(i,i) + 1
    end do
    do i = 1, ns-1
      do j = i+1, ns
        fac = jac(j,i)/jac(i,i)
        jac(j,i+1:) = jac(j,i+1:) - fac*jac(i,i+1:)
        b(j) = b(j) - fac*b(i)
      end do
    end do
    do i = ns, 1, -1
      b(i) = (b(i) - dot_product(jac(i,i+1:), b(i+1:)))/jac(i,i)
    end do
  end subroutine
  subroutine f(n, k, c)
    integer, intent(in) :: n
    real(8), intent(in) :: k(3)
    real(8), intent(inout) :: c(ns,n)
    real(8) :: jac(ns,ns), r(ns)
    integer :: i
    !$omp parallel do default(none) shared(n, k, c) private(i, jac, r)
    do i = 1, n
      call tendencies(k, c(:,i), r, jac)
      call solve(jac, r)
      c(:,i) = c(:,i) + 0.1d0*r
    end do
  end subroutine
  subroutine inner(w, lo, hi)
    real(8), intent(inout) :: w(:)
    integer, intent(in) :: lo, hi
    integer :: i
    do i = lo, hi
      w(i) = w(i)**2*0.5d0 + w(lo-1)
    end do
  end subroutine
  subroutine g(n, k, c)
    integer, intent(in) :: n
    real(8), intent(in) :: k(3)
    real(8), intent(inout) :: c(ns,n)
    real(8) :: w(ns+2)
    integer :: i
    !$omp parallel do private(w)
    do i = 1, n
      w = k(1)
      w(2:ns+1) = c(:,i)
      call inner(w, 2, ns)
      call inner(w, 3, ns+1)
      c(:,i) = w(2:ns+1)*k(2)
    end do
  end subroutine
end module
