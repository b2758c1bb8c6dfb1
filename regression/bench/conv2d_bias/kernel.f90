! conv2d_bias: 2-D convolution of images with several channels, and a bias, f = sum(out**2)
! first index is the image's fastest axis; the last k - 1 rows and columns of out are not used
subroutine kernel(n, cin, cout, k, h, w, x, weights, bias, out, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n, cin, cout, k, h, w
  real(c_double), intent(in)    :: x(w,h,cin,n), weights(k,k,cin,cout), bias(cout)
  real(c_double), intent(inout) :: out(w,h,cout,n)
  real(c_double), intent(out)   :: f
  integer :: b, c, d, i, j, p, q
  do b = 1, n
    do d = 1, cout
      do j = 1, h-k+1
        do i = 1, w-k+1
          out(i,j,d,b) = bias(d)
        end do
        do c = 1, cin
          do q = 1, k
            do p = 1, k
              do i = 1, w-k+1
                out(i,j,d,b) = out(i,j,d,b) + weights(p,q,c,d)*x(i+p-1,j+q-1,c,b)
              end do
            end do
          end do
        end do
      end do
    end do
  end do
  f = 0d0
  do b = 1, n
    do d = 1, cout
      do j = 1, h-k+1
        do i = 1, w-k+1
          f = f + out(i,j,d,b)**2
        end do
      end do
    end do
  end do
end subroutine
