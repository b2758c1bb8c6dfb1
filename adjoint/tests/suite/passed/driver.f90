! Differences against the tangent, the tangent against the adjoint; what is increased, and what is left.
program driver
  use m
  use m_d
  use m_b
  implicit none
  real(8), parameter :: h = 1d-6
  real(8) :: x(3), d(3), y(3), y_d(3), up(3), down(3), x_b(3), y_b(3), w(3), product
  integer :: k
  logical :: right

  x = [0.7d0, 0.4d0, 0.9d0]
  d = [0.3d0, -0.8d0, 0.5d0]
  w = [1.1d0, -0.6d0, 0.7d0]
  call f(x + h*d, up, sq, scaled, pr)
  call f(x - h*d, down, sq, scaled, pr)
  call f_d(x, d, y, y_d, sq, sq_d, scaled, scaled_d, pr, pr_d)
  right = all(abs(y_d - (up - down)/(2*h)) < 1d-8)
  call f(x, up, sq, scaled, pr)
  right = right .and. all(abs(y - up) < 1d-14)
  do k = 1, 2
    x_b = [1d0, 2d0, 3d0]*(2 - k)
    y_b = w
    product = dot_product(x_b, d)
    call f_b(x, x_b, y, y_b, sq, sq_b, scaled, scaled_b, pr, pr_b)
    product = dot_product(x_b, d) - product
    right = right .and. abs(product - dot_product(w, y_d)) < 1d-12 .and. all(y_b == 0)
  end do
  if (right) then
    print '(a)', 'right'
  else
    print *, product, dot_product(w, y_d), y_d, (up - down)/(2*h)
  end if
end program
