! Variables that a block declares with `save` become variables of the module, where derivatives reach them.
! head: m::f(y)/(x)
! layout: extend
module m
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    integer :: i
    y = 0
    do i = 1, 4
      block
        integer, save :: count = 0, by = 2
        real(8), save :: keep(2) = 0
        if (i == 1) then
          keep = 0
          count = 0
        end if
        count = count + by
        keep(1) = keep(2)*count
        keep(2) = keep(2) + x(i)**2
        y = y + x(i)*keep(1)
      end block
    end do
  end subroutine
end module
