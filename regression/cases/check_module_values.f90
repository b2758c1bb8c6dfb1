! head: m::f(y)/(x)
! value: m::gas=287:288 settings::order=2 settings::physics%drag=0.1:0.2 settings::scheme='up'
! size: n=6 m::table=4
! Module variables and components that nothing sets but options: a range, an integer, a component, a text, an array.
module settings
  implicit none
  type options
    real(8) :: drag
    real(8), allocatable :: unused(:)
    integer :: kept = 3
  end type
  integer :: order
  character(len=2) :: scheme
  type(options) :: physics
end module

module m
  use settings
  implicit none
  real(8) :: gas
  real(8), allocatable :: table(:)
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    if (scheme /= 'up' .or. order /= 2 .or. physics%kept /= 3 .or. allocated(physics%unused)) error stop 'not set'
    if (size(table) /= 4 .or. gas < 287) error stop 'nor this'
    do i = 1, n
      y(i) = x(i)**order*gas - physics%drag*x(i) + table(1 + mod(i, 4))*x(1)
    end do
  end subroutine
end module
