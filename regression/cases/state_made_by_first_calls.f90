! Arrays of a module that a first call makes, with derivatives and without: the next call finds both.
! head: m::f(y)/(x)
! size: n=4
module m
  implicit none
  real(8), allocatable :: dz(:), kh(:)
contains
  subroutine init(n)
    integer, intent(in) :: n
    if (allocated(dz)) then
      if (size(dz) == n) return
      deallocate(dz, kh)
    end if
    allocate(dz(n), kh(n))
    dz = 2
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: k
    call init(n)
    do k = 1, n
      kh(k) = x(k)**2
    end do
    do k = 1, n
      y(k) = kh(k)**2/dz(k)
    end do
  end subroutine
end module
