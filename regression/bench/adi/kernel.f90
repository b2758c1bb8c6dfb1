! adi: heat equation in the unit square, implicit along one direction in each half of a step, f = sum of the temperatures.
! Each half solves tridiagonal systems by elimination (`upper`, `lower`) and substitution: the first one those of all
! lines side by side, the second one line after line.
subroutine kernel(n, steps, u, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n, steps
  real(c_double), intent(inout) :: u(n,n)
  real(c_double), intent(out)   :: f
  real(c_double), parameter :: edge = 1d0
  real(c_double) :: half(n,n), upper(n,n), lower(n,n), off1, mid1, off2, mid2
  integer :: step, x, y
  off1 = -1d0*n*n/steps
  mid1 = 1d0 + 2d0*n*n/steps
  off2 = -0.5d0*n*n/steps
  mid2 = 1d0 + 1d0*n*n/steps
  do step = 1, steps
    do x = 2, n-1
      upper(x,1) = 0d0
      lower(x,1) = edge
      half(x,1) = edge
      half(x,n) = edge
    end do
    do y = 2, n-1
      do x = 2, n-1
        upper(x,y) = -off1/(mid1 + off1*upper(x,y-1))
        lower(x,y) = ((1d0 + 2d0*off2)*u(x,y) - off2*u(x-1,y) - off2*u(x+1,y) - off1*lower(x,y-1)) &
                     /(mid1 + off1*upper(x,y-1))
      end do
    end do
    do y = n-1, 2, -1
      do x = 2, n-1
        half(x,y) = lower(x,y) + upper(x,y)*half(x,y+1)
      end do
    end do
    do y = 2, n-1
      upper(1,y) = 0d0
      lower(1,y) = edge
      do x = 2, n-1
        upper(x,y) = -off2/(mid2 + off2*upper(x-1,y))
        lower(x,y) = ((1d0 + 2d0*off1)*half(x,y) - off1*half(x,y-1) - off1*half(x,y+1) - off2*lower(x-1,y)) &
                     /(mid2 + off2*upper(x-1,y))
      end do
      u(1,y) = edge
      u(n,y) = edge
      do x = n-1, 2, -1
        u(x,y) = lower(x,y) + upper(x,y)*u(x+1,y)
      end do
    end do
  end do
  f = 0d0
  do y = 1, n
    do x = 1, n
      f = f + u(x,y)
    end do
  end do
end subroutine
