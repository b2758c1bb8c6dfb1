! Metric terms of a grid behind many local pointers to components, in nested loops with branches and calls.
! head: metric_pointers::step(h)/(h,wind)
! size: n=5
! value: h=0.1:1.0
module metric_pointers
  implicit none
  type grid
    real(8), allocatable, dimension(:, :) :: dx, dy, area, cosa, sina
    logical :: bounded
  end type grid
contains
  subroutine step(n, h, wind)
    integer, intent(in) :: n
    real(8), intent(inout) :: h(n, n)
    real(8), intent(in) :: wind(n, n, 2)
    type(grid), target :: g
    integer :: i, j
    allocate(g%dx(n, n), g%dy(n, n), g%area(n, n), g%cosa(n, n), g%sina(n, n))
    do j = 1, n
      do i = 1, n
        g%dx(i, j) = 1.0d0 + 0.1d0*i
        g%dy(i, j) = 1.0d0 + 0.2d0*j
        g%cosa(i, j) = 0.1d0*h(i, j)
      end do
    end do
    g%area = g%dx*g%dy
    g%sina = sqrt(1.0d0 - g%cosa**2)
    g%bounded = n > 3
    do i = 1, 3
      call transport(n, h, wind, g, i)
    end do
  end subroutine step

  subroutine transport(n, h, wind, g, order)
    integer, intent(in) :: n, order
    real(8), intent(inout) :: h(n, n)
    real(8), intent(in) :: wind(n, n, 2)
    type(grid), intent(in), target :: g
    real(8), pointer, dimension(:, :) :: dx, dy, area, cosa, sina
    real(8) :: fx(n, n), fy(n, n)
    integer :: i, j
    dx => g%dx
    dy => g%dy
    area => g%area
    cosa => g%cosa
    sina => g%sina
    fx = 0.0d0
    fy = 0.0d0
    do j = 2, n
      do i = 2, n
        if (g%bounded) then
          fx(i, j) = wind(i, j, 1)*sina(i, j)*dy(i, j)*(h(i - 1, j) - cosa(i, j)*h(i, j))
        else if (order == 1) then
          fx(i, j) = wind(i, j, 1)*h(i, j)
        end if
        select case (order)
        case (1)
          fy(i, j) = wind(i, j, 2)*dx(i, j)*h(i, j - 1)
        case (2)
          fy(i, j) = fx(i, j)*cosa(i, j)
        case default
          call limit(fx(i, j), h(i, j), fy(i, j))
        end select
      end do
    end do
    h = h + 0.1d0*(fx - fy)/area
  end subroutine transport

  subroutine limit(a, b, c)
    real(8), intent(in) :: a, b
    real(8), intent(out) :: c
    c = a/(1.0d0 + a**2) + b
  end subroutine limit
end module metric_pointers
