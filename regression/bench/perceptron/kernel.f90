! perceptron: layers of tanh(w h + b) for m samples, f = half of the squared distance to the targets
subroutine kernel(n, m, layers, w, b, x, t, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)  :: n, m, layers
  real(c_double), intent(in)  :: w(n,n,layers), b(n,layers), x(n,m), t(n,m)
  real(c_double), intent(out) :: f
  real(c_double) :: h(n,m)
  integer :: it, j
  h = x
  do it = 1, layers
    h = matmul(w(:,:,it), h)
    do j = 1, m
      h(:,j) = tanh(h(:,j) + b(:,it))
    end do
  end do
  f = 0.5d0*sum((h - t)**2)
end subroutine
