! Branches with calls of procedures without source that named constants switch off.
! head: m::f(y)/(x)
! size: n=4
module switches
  implicit none
  logical, parameter :: use_c = .false., use_fortran = .not. use_c
  integer, parameter :: version = 2
end module
module m
  use switches
  implicit none
  real(8) :: scale = 1.5d0
contains
  subroutine kernel(n, u)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    u = u*scale + sin(u)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: kernel_value
    external :: kernel_value
    y = x
    if (use_fortran) then
      call kernel(n, y)
    else if (use_c) then
      call kernel_c(n, y)
    else
      call kernel_gpu(n, y)
    end if
    if (version == 1) y = y*kernel_value(y)
    if (version > 1) then
      y = y**2
    else
      call kernel_old(y, scale)
    end if
    scale = scale + y(1)*0.01d0
  end subroutine
end module
