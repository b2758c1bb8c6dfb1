! hand-written adjoint of conv2d_bias: weights by sums over a row, images by shifted increments of a row
subroutine kernel_b(n, cin, cout, k, h, w, x, xb, weights, weightsb, bias, biasb, out, outb, f, fb) &
    bind(C, name="kernel_b")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n, cin, cout, k, h, w
  real(c_double), intent(in)    :: x(w,h,cin,n), weights(k,k,cin,cout), bias(cout)
  real(c_double), intent(inout) :: xb(w,h,cin,n), weightsb(k,k,cin,cout), biasb(cout)
  real(c_double), intent(inout) :: out(w,h,cout,n), outb(w,h,cout,n), f, fb
  real(c_double) :: row(w), s
  integer :: b, c, d, i, j, p, q
  do b = 1, n
    do d = 1, cout
      do j = 1, h-k+1
        do i = 1, w-k+1
          row(i) = bias(d)
        end do
        do c = 1, cin
          do q = 1, k
            do p = 1, k
              do i = 1, w-k+1
                row(i) = row(i) + weights(p,q,c,d)*x(i+p-1,j+q-1,c,b)
              end do
            end do
          end do
        end do
        s = 0d0
        !$omp simd reduction(+:s)
        do i = 1, w-k+1
          row(i) = outb(i,j,d,b) + 2d0*fb*row(i)
          outb(i,j,d,b) = 0d0
          s = s + row(i)
        end do
        biasb(d) = biasb(d) + s
        do c = 1, cin
          do q = 1, k
            do p = 1, k
              s = 0d0
              !$omp simd reduction(+:s)
              do i = 1, w-k+1
                s = s + row(i)*x(i+p-1,j+q-1,c,b)
                xb(i+p-1,j+q-1,c,b) = xb(i+p-1,j+q-1,c,b) + weights(p,q,c,d)*row(i)
              end do
              weightsb(p,q,c,d) = weightsb(p,q,c,d) + s
            end do
          end do
        end do
      end do
    end do
  end do
  fb = 0d0
end subroutine
