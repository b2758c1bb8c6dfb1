! head: m::f(y)/(x)
! size: n=4
! a procedure gives a pointer other memory, and values
module m
  implicit none
contains
  subroutine grow(p, k)
    real(8), pointer, intent(inout) :: p(:)
    integer, intent(in) :: k
    real(8), pointer :: q(:)
    allocate(q(size(p)+k))
    q(1:size(p)) = p
    q(size(p)+1:) = p(1)*p(size(p))
    deallocate(p)
    p => q
  end subroutine grow
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(1)
    real(8), pointer :: p(:)
    integer :: i, j
    allocate(p(n))
    p = x
    do i = 1, 3
      do j = 1, 2
        call grow(p, j)
        p(j) = p(j)*p(size(p))
      end do
    end do
    y(1) = sum(p**2)
    deallocate(p)
  end subroutine f
end module m
