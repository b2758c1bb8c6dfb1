! attention: weights p = softmax(k^T q/sqrt(d)) of n keys for each of n queries, o = v p, f = half of the sum of o's squares
subroutine kernel(d, n, q, k, v, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)  :: d, n
  real(c_double), intent(in)  :: q(d,n), k(d,n), v(d,n)
  real(c_double), intent(out) :: f
  real(c_double) :: p(n,n), o(d,n), scale
  integer :: j
  scale = 1d0/sqrt(real(d, c_double))
  p = matmul(transpose(k), q)
  do j = 1, n
    p(:,j) = exp(scale*p(:,j))
    p(:,j) = p(:,j)/sum(p(:,j))
  end do
  o = matmul(v, p)
  f = 0.5d0*sum(o**2)
end subroutine
