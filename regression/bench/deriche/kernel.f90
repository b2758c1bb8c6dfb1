! deriche: recursive edge filter, forth and back along the rows, then along the columns, f = sum(out)
! first index is numpy's fastest axis, h
subroutine kernel(w, h, alpha, img, out, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: w, h
  real(c_double), intent(in)    :: alpha, img(h,w)
  real(c_double), intent(inout) :: out(h,w)
  real(c_double), intent(out)   :: f
  real(c_double) :: y1(h,w), y2(h,w), k, a1, a2, a3, a4, b1, b2
  integer :: i, j
  k = (1d0 - exp(-alpha))*(1d0 - exp(-alpha))/(1d0 + alpha*exp(-alpha) - exp(2d0*alpha))
  a1 = k
  a2 = k*exp(-alpha)*(alpha - 1d0)
  a3 = k*exp(-alpha)*(alpha + 1d0)
  a4 = -k*exp(-2d0*alpha)
  b1 = 2d0**(-alpha)
  b2 = -exp(-2d0*alpha)
  do i = 1, w
    y1(1,i) = a1*img(1,i)
    y1(2,i) = a1*img(2,i) + a2*img(1,i) + b1*y1(1,i)
    do j = 3, h
      y1(j,i) = a1*img(j,i) + a2*img(j-1,i) + b1*y1(j-1,i) + b2*y1(j-2,i)
    end do
    y2(h,i) = 0d0
    y2(h-1,i) = a3*img(h,i)
    do j = h-2, 1, -1
      y2(j,i) = a3*img(j+1,i) + a4*img(j+2,i) + b1*y2(j+1,i) + b2*y2(j+2,i)
    end do
    do j = 1, h
      out(j,i) = y1(j,i) + y2(j,i)
    end do
  end do
  do j = 1, h
    y1(j,1) = a1*out(j,1)
    y1(j,2) = a1*out(j,2) + a2*out(j,1) + b1*y1(j,1)
  end do
  do i = 3, w
    do j = 1, h
      y1(j,i) = a1*out(j,i) + a2*out(j,i-1) + b1*y1(j,i-1) + b2*y1(j,i-2)
    end do
  end do
  do j = 1, h
    y2(j,w) = 0d0
    y2(j,w-1) = a3*out(j,w)
  end do
  do i = w-2, 1, -1
    do j = 1, h
      y2(j,i) = a3*out(j,i+1) + a4*out(j,i+2) + b1*y2(j,i+1) + b2*y2(j,i+2)
    end do
  end do
  do i = 1, w
    do j = 1, h
      out(j,i) = y1(j,i) + y2(j,i)
    end do
  end do
  f = 0d0
  do i = 1, w
    do j = 1, h
      f = f + out(j,i)
    end do
  end do
end subroutine
