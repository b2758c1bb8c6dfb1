! hand-written adjoint of perceptron: outputs of all layers are kept
! (transposes in parentheses are copied, and their products take gfortran's fast way)
subroutine kernel_b(n, m, layers, w, wb, b, bb, x, xb, t, f, fb) bind(C, name="kernel_b")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n, m, layers
  real(c_double), intent(in)    :: w(n,n,layers), b(n,layers), x(n,m), t(n,m)
  real(c_double), intent(inout) :: wb(n,n,layers), bb(n,layers), xb(n,m), f, fb
  real(c_double), allocatable :: h(:,:,:), hb(:,:)
  integer :: l, j
  allocate(h(n,m,0:layers), hb(n,m))
  h(:,:,0) = x
  do l = 1, layers
    h(:,:,l) = matmul(w(:,:,l), h(:,:,l-1))
    do j = 1, m
      h(:,j,l) = tanh(h(:,j,l) + b(:,l))
    end do
  end do
  f = 0.5d0*sum((h(:,:,layers) - t)**2)
  hb = fb*(h(:,:,layers) - t)
  fb = 0d0
  do l = layers, 1, -1
    do j = 1, m
      hb(:,j) = (1d0 - h(:,j,l)**2)*hb(:,j)
      bb(:,l) = bb(:,l) + hb(:,j)
    end do
    wb(:,:,l) = wb(:,:,l) + matmul(hb, (transpose(h(:,:,l-1))))
    hb = matmul((transpose(w(:,:,l))), hb)
  end do
  xb = xb + hb
end subroutine
