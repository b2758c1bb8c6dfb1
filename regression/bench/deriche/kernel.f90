! deriche: smoothing by a recursive filter of second order, run in both directions over every line, then over every
! column, f = sum(smooth)
subroutine kernel(columns, length, sharpness, image, smooth, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: columns, length
  real(c_double), intent(in)    :: sharpness, image(length,columns)
  real(c_double), intent(inout) :: smooth(length,columns)
  real(c_double), intent(out)   :: f
  real(c_double) :: up(length,columns), down(length,columns)
  real(c_double) :: decay, here, before, after, second, near, far
  integer :: at, col
  decay = exp(-sharpness)
  here = (1d0 - decay)**2/(1d0 + sharpness*decay - exp(2d0*sharpness))
  before = here*decay*(sharpness - 1d0)
  after = here*decay*(sharpness + 1d0)
  second = -here*exp(-2d0*sharpness)
  near = 2d0**(-sharpness)
  far = -exp(-2d0*sharpness)
  do col = 1, columns
    up(1,col) = here*image(1,col)
    up(2,col) = near*up(1,col) + here*image(2,col) + before*image(1,col)
    do at = 3, length
      up(at,col) = near*up(at-1,col) + far*up(at-2,col) + here*image(at,col) + before*image(at-1,col)
    end do
    down(length,col) = 0d0
    down(length-1,col) = after*image(length,col)
    do at = length-2, 1, -1
      down(at,col) = near*down(at+1,col) + far*down(at+2,col) + after*image(at+1,col) + second*image(at+2,col)
    end do
    do at = 1, length
      smooth(at,col) = up(at,col) + down(at,col)
    end do
  end do
  do at = 1, length
    up(at,1) = here*smooth(at,1)
    up(at,2) = near*up(at,1) + here*smooth(at,2) + before*smooth(at,1)
  end do
  do col = 3, columns
    do at = 1, length
      up(at,col) = near*up(at,col-1) + far*up(at,col-2) + here*smooth(at,col) + before*smooth(at,col-1)
    end do
  end do
  do at = 1, length
    down(at,columns) = 0d0
    down(at,columns-1) = after*smooth(at,columns)
  end do
  do col = columns-2, 1, -1
    do at = 1, length
      down(at,col) = near*down(at,col+1) + far*down(at,col+2) + after*smooth(at,col+1) + second*smooth(at,col+2)
    end do
  end do
  do col = 1, columns
    do at = 1, length
      smooth(at,col) = up(at,col) + down(at,col)
    end do
  end do
  f = 0d0
  do col = 1, columns
    do at = 1, length
      f = f + smooth(at,col)
    end do
  end do
end subroutine
