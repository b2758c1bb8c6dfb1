! hand-written adjoint of attention: with the weights at hand, s_b = scale p (p_b - p . p_b)
! (transposes in parentheses are copied, and their products take gfortran's fast way)
subroutine kernel_b(d, n, q, qb, k, kb, v, vb, f, fb) bind(C, name="kernel_b")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: d, n
  real(c_double), intent(in)    :: q(d,n), k(d,n), v(d,n)
  real(c_double), intent(inout) :: qb(d,n), kb(d,n), vb(d,n), f, fb
  real(c_double), allocatable :: p(:,:), pb(:,:), o(:,:)
  real(c_double) :: scale
  integer :: j
  allocate(p(n,n), pb(n,n), o(d,n))
  scale = 1d0/sqrt(real(d, c_double))
  p = matmul(transpose(k), q)
  do j = 1, n
    p(:,j) = exp(scale*p(:,j))
    p(:,j) = p(:,j)/sum(p(:,j))
  end do
  o = matmul(v, p)
  f = 0.5d0*sum(o**2)
  o = fb*o
  fb = 0d0
  vb = vb + matmul(o, (transpose(p)))
  pb = matmul((transpose(v)), o)
  do j = 1, n
    pb(:,j) = scale*p(:,j)*(pb(:,j) - dot_product(p(:,j), pb(:,j)))
  end do
  kb = kb + matmul(q, (transpose(pb)))
  qb = qb + matmul(k, pb)
end subroutine
