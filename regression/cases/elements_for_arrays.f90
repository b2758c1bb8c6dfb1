! head: m::blocks(te,flux)/(te,um)
! head: m::sections(ra,rb)/(a,b)
! size: n=8
! size: nblk=3
! size: klev=5
! threads: 4
! An element that stands for the array behind it, in a shared loop; sections that call procedures.
module m
  implicit none
contains
  subroutine blocks(n, nblk, klev, te, um, flux)
    integer, intent(in) :: n, nblk, klev
    real(8), intent(inout) :: te(n,klev,nblk)
    real(8), intent(in) :: um(n,klev,nblk)
    real(8), intent(out) :: flux(n,nblk)
    integer :: jb
    !$omp parallel do schedule(dynamic,1)
    do jb = 1, nblk
      call column(n, klev, te(1,1,jb), um(1,1,jb), flux(1,jb))
    end do
  end subroutine
  subroutine column(kl, klev, t, u, flux)
    integer, intent(in) :: kl, klev
    real(8), intent(inout) :: t(kl,klev)
    real(8), intent(in) :: u(kl,klev)
    real(8), intent(out) :: flux(kl)
    integer :: jl, jk
    flux = 0
    do jk = 2, klev
      do jl = 1, kl
        t(jl,jk) = t(jl,jk) + 0.1d0*(t(jl,jk-1) - t(jl,jk))*u(jl,jk)
        flux(jl) = flux(jl) + t(jl,jk)**2*u(1,jk)
      end do
    end do
  end subroutine
  subroutine sections(n, nblk, klev, a, b, ra, rb)
    integer, intent(in) :: n, nblk, klev
    real(8), intent(in) :: a(n), b(klev)
    real(8), intent(out) :: ra(n), rb(klev)
    !$omp parallel sections
    !$omp section
    call smooth(n, a, ra)
    !$omp section
    call smooth(klev, b, rb)
    !$omp end parallel sections
    ra = ra*nblk
  end subroutine
  subroutine smooth(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    y(2:n-1) = 0.25d0*(x(1:n-2) + 2*x(2:n-1) + x(3:n))*x(2:n-1)
    y(1) = x(1)
    y(n) = x(n)
  end subroutine
end module
