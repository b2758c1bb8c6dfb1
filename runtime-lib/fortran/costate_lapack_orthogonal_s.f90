! Made from tests/templates/lapack_orthogonal.f90 by tests/linear_algebra_text.rs.
! Derivatives of LAPACK's orthogonal factorisation and of least squares. Factors are
! differentiated reflection by reflection: H = I - tau*v*v^T is its own inverse, so that values are brought back by another
! reflection. What a work array holds has no derivative.
module costate_lapack_orthogonal_s
  use costate_linear_algebra_s
  implicit none
  private
  public :: costate_sgeqrf_d, costate_sgeqrf_b, costate_sorgqr_d, costate_sorgqr_b, costate_sormqr_d, costate_sormqr_b
  public :: costate_sgels_d, costate_sgels_b
contains

  ! Work space for blocks of columns.
  pure integer function space(columns)
    integer, intent(in) :: columns
    space = 64*max(1, columns)
  end function

  ! The derivative of a reflection with H*(alpha, x) = (beta, 0) and v = (1, y): beta', y' and tau' from alpha' and x', in their
  ! place. At x = 0, where H = I, beta and Q jump.
  subroutine reflector_d(n, beta, y, tau, beta_d, y_d, tau_d)
    integer, intent(in) :: n
    real(wp), intent(in) :: beta, y(n), tau
    real(wp), intent(inout) :: beta_d, y_d(n)
    real(wp), intent(out) :: tau_d
    real(wp) :: alpha_d, change
    tau_d = 0
    if (tau == 0) then
      if (all(y_d == 0)) return
      call spoil(beta_d)
      call spoil(y_d)
      call spoil(tau_d)
      return
    end if
    ! alpha = (1 - tau)*beta, x = -tau*beta*y
    alpha_d = beta_d
    beta_d = (1 - tau)*alpha_d - tau*dot_product(y, y_d)
    change = alpha_d - beta_d
    y_d = -(y_d - y*change)/(tau*beta)
    tau_d = -(change + tau*beta_d)/beta
  end subroutine

  ! The adjoint of alpha and x, in the place of beta's and y's.
  subroutine reflector_b(n, beta, y, tau, beta_b, y_b, tau_b)
    integer, intent(in) :: n
    real(wp), intent(in) :: beta, y(n), tau
    real(wp), intent(inout) :: beta_b, y_b(n), tau_b
    real(wp) :: change_b, rest_b
    if (tau == 0) then
      if (n > 0 .and. (beta_b /= 0 .or. tau_b /= 0 .or. any(y_b /= 0))) then
        call unknown('sgeqrf of a matrix with a column that is zero below its diagonal')
      end if
    else
      change_b = (dot_product(y, y_b)/tau - tau_b)/beta
      rest_b = beta_b - tau*tau_b/beta - change_b
      beta_b = change_b + (1 - tau)*rest_b
      y_b = -(y_b/(tau*beta) + rest_b*tau*y)
    end if
    tau_b = 0
  end subroutine

  ! C = H*C
  subroutine reflect(m, n, v, tau, c, ldc)
    integer, intent(in) :: m, n, ldc
    real(wp), intent(in) :: v(m), tau
    real(wp), intent(inout) :: c(ldc,*)
    real(wp) :: w(n)
    if (n <= 0) return
    w = 0
    call sgemv('T', m, n, 1.0_wp, c, ldc, v, 1, 0.0_wp, w, 1)
    call sger(m, n, -tau, v, 1, w, 1, c, ldc)
  end subroutine

  subroutine reflect_d(m, n, v, tau, c, ldc, v_d, tau_d, c_d, ldc_d)
    integer, intent(in) :: m, n, ldc, ldc_d
    real(wp), intent(in) :: v(m), tau, v_d(m), tau_d
    real(wp), intent(inout) :: c(ldc,*), c_d(ldc_d,*)
    real(wp) :: w(n), w_d(n)
    if (n <= 0) return
    w = 0
    w_d = 0
    call sgemv('T', m, n, 1.0_wp, c, ldc, v, 1, 0.0_wp, w, 1)
    call sgemv('T', m, n, 1.0_wp, c_d, ldc_d, v, 1, 0.0_wp, w_d, 1)
    call sgemv('T', m, n, 1.0_wp, c, ldc, v_d, 1, 1.0_wp, w_d, 1)
    call sger(m, n, -1.0_wp, tau_d*v + tau*v_d, 1, w, 1, c_d, ldc_d)
    call sger(m, n, -tau, v, 1, w_d, 1, c_d, ldc_d)
    call sger(m, n, -tau, v, 1, w, 1, c, ldc)
  end subroutine

  ! Brings back C, and gives the adjoints of C, v and tau.
  subroutine reflect_b(m, n, v, tau, c, ldc, v_b, tau_b, c_b, ldc_b)
    integer, intent(in) :: m, n, ldc, ldc_b
    real(wp), intent(in) :: v(m), tau
    real(wp), intent(inout) :: c(ldc,*), c_b(ldc_b,*), v_b(m), tau_b
    real(wp) :: w(n), w_b(n)
    if (n <= 0) return
    if (abs(tau*(2 - tau*dot_product(v, v))) > sqrt(epsilon(tau))) call unknown('reflectors that aren''t those of sgeqrf')
    w = 0
    w_b = 0
    call reflect(m, n, v, tau, c, ldc)
    call sgemv('T', m, n, 1.0_wp, c, ldc, v, 1, 0.0_wp, w, 1)
    call sgemv('T', m, n, 1.0_wp, c_b, ldc_b, v, 1, 0.0_wp, w_b, 1)
    tau_b = tau_b - dot_product(w, w_b)
    call sgemv('N', m, n, -tau, c_b, ldc_b, w, 1, 1.0_wp, v_b, 1)
    call sgemv('N', m, n, -tau, c, ldc, w_b, 1, 1.0_wp, v_b, 1)
    call sger(m, n, -tau, v, 1, w_b, 1, c_b, ldc_b)
  end subroutine

  ! A = Q*R, with Q as reflectors
  subroutine costate_sgeqrf_d(m, n, a, lda, tau, work, lwork, info, a_d, tau_d)
    integer, intent(in) :: m, n, lda, lwork
    real(wp), intent(inout) :: a(lda,*), tau(*), work(*), a_d(lda,*), tau_d(*)
    integer, intent(out) :: info
    real(wp), allocatable :: c(:,:)
    integer :: j
    if (lwork /= -1) c = a(1:m,1:n)
    call sgeqrf(m, n, a, lda, tau, work, lwork, info)
    if (lwork == -1 .or. info /= 0) return
    do j = 1, min(m, n)
      call reflector_d(m - j, a(j,j), a(j+1:m,j), tau(j), a_d(j,j), a_d(j+1:m,j), tau_d(j))
      if (j < n) call reflect_d(m - j + 1, n - j, [1.0_wp, a(j+1:m,j)], tau(j), c(j,j+1), m, &
        [0.0_wp, a_d(j+1:m,j)], tau_d(j), a_d(j,j+1), lda)
    end do
  end subroutine

  subroutine costate_sgeqrf_b(m, n, a, lda, tau, work, lwork, info, a_b, tau_b)
    integer, intent(in) :: m, n, lda, lwork, info
    real(wp), intent(in) :: a(lda,*), tau(*), work(*)
    real(wp), intent(inout) :: a_b(lda,*), tau_b(*)
    real(wp), allocatable :: c(:,:), v(:), v_b(:)
    integer :: j
    if (lwork == -1 .or. min(m, n) <= 0) return
    allocate(c(m,n), source=0.0_wp)
    do j = 1, n
      c(1:min(j,m),j) = a(1:min(j,m),j)
    end do
    do j = min(m, n), 1, -1
      v = [1.0_wp, a(j+1:m,j)]
      v_b = [0.0_wp, a_b(j+1:m,j)]
      if (j < n) call reflect_b(m - j + 1, n - j, v, tau(j), c(j,j+1), m, v_b, tau_b(j), a_b(j,j+1), lda)
      call reflector_b(m - j, a(j,j), v(2:), tau(j), a_b(j,j), v_b(2:), tau_b(j))
      a_b(j+1:m,j) = v_b(2:)
      call reflect(m - j + 1, 1, v, tau(j), c(j,j), m)
    end do
  end subroutine

  ! The first columns of Q
  subroutine costate_sorgqr_d(m, n, k, a, lda, tau, work, lwork, info, a_d, tau_d)
    integer, intent(in) :: m, n, k, lda, lwork
    real(wp), intent(inout) :: a(lda,*), work(*), a_d(lda,*)
    real(wp), intent(in) :: tau(*)
    real(wp), intent(in), optional :: tau_d(*)
    integer, intent(out) :: info
    real(wp), allocatable :: q(:,:), q_d(:,:)
    integer :: j
    if (lwork /= -1 .and. n > 0) then
      q = columns_of_identity(m, n)
      allocate(q_d(m,n), source=0.0_wp)
      do j = k, 1, -1
        call reflect_d(m - j + 1, n - j + 1, [1.0_wp, a(j+1:m,j)], tau(j), q(j,j), m, [0.0_wp, a_d(j+1:m,j)], &
          optional_element(tau_d, j), q_d(j,j), m)
      end do
      a_d(1:m,1:n) = q_d
    end if
    call sorgqr(m, n, k, a, lda, tau, work, lwork, info)
  end subroutine

  subroutine costate_sorgqr_b(m, n, k, a, lda, tau, work, lwork, info, a_b, tau_b)
    integer, intent(in) :: m, n, k, lda, lwork, info
    real(wp), intent(in) :: a(lda,*), tau(*), work(*)
    real(wp), intent(inout) :: a_b(lda,*)
    real(wp), intent(inout), optional :: tau_b(*)
    real(wp), allocatable :: q(:,:), q_b(:,:), v_b(:)
    real(wp) :: space_there(space(n)), t_b
    integer :: j, status
    if (lwork == -1 .or. n <= 0) return
    q = a(1:m,1:n)
    call sorgqr(m, n, k, q, m, tau, space_there, size(space_there), status)
    q_b = a_b(1:m,1:n)
    a_b(1:m,1:n) = 0
    do j = 1, k
      allocate(v_b(m-j+1), source=0.0_wp)
      t_b = 0
      call reflect_b(m - j + 1, n - j + 1, [1.0_wp, a(j+1:m,j)], tau(j), q(j,j), m, v_b, t_b, q_b(j,j), m)
      a_b(j+1:m,j) = v_b(2:)
      if (present(tau_b)) tau_b(j) = tau_b(j) + t_b
      deallocate(v_b)
    end do
  end subroutine

  pure function columns_of_identity(m, n) result(q)
    integer, intent(in) :: m, n
    real(wp) :: q(m,n)
    integer :: j
    q = 0
    do j = 1, n
      q(j,j) = 1
    end do
  end function

  pure real(wp) function optional_element(x, j)
    real(wp), intent(in), optional :: x(*)
    integer, intent(in) :: j
    optional_element = 0
    if (present(x)) optional_element = x(j)
  end function

  ! C = op(Q)*C, or C*op(Q), that is the transpose of the opposite product with C^T.
  subroutine costate_sormqr_d(side, trans, m, n, k, a, lda, tau, c, ldc, work, lwork, info, a_d, tau_d, c_d)
    character, intent(in) :: side, trans
    integer, intent(in) :: m, n, k, lda, ldc, lwork
    real(wp), intent(in) :: a(lda,*), tau(*)
    real(wp), intent(in), optional :: a_d(lda,*), tau_d(*)
    real(wp), intent(inout) :: c(ldc,*), work(*), c_d(ldc,*)
    integer, intent(out) :: info
    real(wp), allocatable :: x(:,:), x_d(:,:), v_d(:)
    integer :: order, i, j
    if (lwork /= -1 .and. min(m, n) > 0) then
      order = merge(m, n, left(side))
      x = turned(side, c(1:m,1:n))
      x_d = turned(side, c_d(1:m,1:n))
      do i = 1, k
        j = merge(i, k + 1 - i, transposed(trans) .eqv. left(side))
        allocate(v_d(order-j+1), source=0.0_wp)
        if (present(a_d)) v_d(2:) = a_d(j+1:order,j)
        call reflect_d(order - j + 1, size(x, 2), [1.0_wp, a(j+1:order,j)], tau(j), x(j,1), order, &
          v_d, optional_element(tau_d, j), x_d(j,1), order)
        deallocate(v_d)
      end do
      c_d(1:m,1:n) = turned(side, x_d)
    end if
    call sormqr(side, trans, m, n, k, a, lda, tau, c, ldc, work, lwork, info)
  end subroutine

  subroutine costate_sormqr_b(side, trans, m, n, k, a, lda, tau, c, ldc, work, lwork, info, a_b, tau_b, c_b)
    character, intent(in) :: side, trans
    integer, intent(in) :: m, n, k, lda, ldc, lwork, info
    real(wp), intent(in) :: a(lda,*), tau(*), c(ldc,*), work(*)
    real(wp), intent(inout), optional :: a_b(lda,*), tau_b(*)
    real(wp), intent(inout) :: c_b(ldc,*)
    real(wp), allocatable :: x(:,:), x_b(:,:), v_b(:)
    real(wp) :: t_b
    integer :: order, i, j
    if (lwork == -1 .or. min(m, n) <= 0) return
    order = merge(m, n, left(side))
    x = turned(side, c(1:m,1:n))
    x_b = turned(side, c_b(1:m,1:n))
    do i = 1, k
      j = merge(k + 1 - i, i, transposed(trans) .eqv. left(side))
      allocate(v_b(order-j+1), source=0.0_wp)
      t_b = 0
      call reflect_b(order - j + 1, size(x, 2), [1.0_wp, a(j+1:order,j)], tau(j), x(j,1), order, v_b, t_b, x_b(j,1), order)
      if (present(a_b)) a_b(j+1:order,j) = a_b(j+1:order,j) + v_b(2:)
      if (present(tau_b)) tau_b(j) = tau_b(j) + t_b
      deallocate(v_b)
    end do
    c_b(1:m,1:n) = turned(side, x_b)
  end subroutine

  ! C for the left side, its transpose for the right one.
  pure function turned(side, c) result(x)
    character, intent(in) :: side
    real(wp), intent(in) :: c(:,:)
    real(wp), allocatable :: x(:,:)
    if (left(side)) then
      x = c
    else
      x = transpose(c)
    end if
  end function

  ! op(A) of least squares.
  pure function operand(trans, a) result(c)
    character, intent(in) :: trans
    real(wp), intent(in) :: a(:,:)
    real(wp), allocatable :: c(:,:)
    if (transposed(trans)) then
      c = transpose(a)
    else
      c = a
    end if
  end function

  ! x with the least |C*x - b|, or the least one with C*x = b: the factors of C, or of its transpose, whichever is tall.
  subroutine factorise(c, q, tau)
    real(wp), intent(in) :: c(:,:)
    real(wp), allocatable, intent(out) :: q(:,:), tau(:)
    real(wp), allocatable :: work(:)
    integer :: status
    if (size(c, 1) >= size(c, 2)) then
      q = c
    else
      q = transpose(c)
    end if
    allocate(tau(size(q, 2)), work(space(size(q, 2))))
    call sgeqrf(size(q, 1), size(q, 2), q, size(q, 1), tau, work, size(work), status)
  end subroutine

  ! x = Q*x or Q^T*x; x = R^-1*x or R^-T*x with the first rows of x.
  subroutine times_q(trans, q, tau, x)
    character, intent(in) :: trans
    real(wp), intent(in) :: q(:,:), tau(:)
    real(wp), intent(inout) :: x(:,:)
    real(wp) :: work(space(size(x, 2)))
    integer :: status
    call sormqr('L', trans, size(q, 1), size(x, 2), size(q, 2), q, size(q, 1), tau, x, size(x, 1), work, size(work), status)
  end subroutine

  subroutine solve_r(trans, q, x)
    character, intent(in) :: trans
    real(wp), intent(in) :: q(:,:)
    real(wp), intent(inout) :: x(:,:)
    call strsm('L', 'U', trans, 'N', size(q, 2), size(x, 2), 1.0_wp, q, size(q, 1), x, size(x, 1))
  end subroutine

  ! X with the least |op(A)*X - B|, or the least one that solves the system
  subroutine costate_sgels_d(trans, m, n, nrhs, a, lda, b, ldb, work, lwork, info, a_d, b_d)
    character, intent(in) :: trans
    integer, intent(in) :: m, n, nrhs, lda, ldb, lwork
    real(wp), intent(inout) :: a(lda,*), b(ldb,*), work(*), a_d(lda,*), b_d(ldb,*)
    integer, intent(out) :: info
    real(wp), allocatable :: c(:,:), c_d(:,:), r(:,:), x(:,:), g(:,:), u(:,:), q(:,:), tau(:)
    integer :: p, s
    if (lwork /= -1) then
      c = operand(trans, a(1:m,1:n))
      c_d = operand(trans, a_d(1:m,1:n))
      p = size(c, 1)
      r = b(1:p,1:nrhs)
    end if
    call sgels(trans, m, n, nrhs, a, lda, b, ldb, work, lwork, info)
    if (lwork == -1 .or. info < 0) return
    if (info > 0) then
      call spoil(a_d(1:m,1:n))
      call spoil(b_d(1:max(m,n),1:nrhs))
      return
    end if
    if (min(m, n, nrhs) <= 0) then
      b_d(1:max(m,n),1:nrhs) = 0
      return
    end if
    s = size(c, 2)
    x = b(1:s,1:nrhs)
    call factorise(c, q, tau)
    if (p >= s) then
      ! x' = R^-1*(Q^T*(b' - C'*x) + R^-T*C'^T*r)
      u = matmul(transpose(c_d), r - matmul(c, x))
      call solve_r('T', q, u)
      g = b_d(1:p,1:nrhs) - matmul(c_d, x)
      call times_q('T', q, tau, g)
      g = g(1:s,:) + u
      call solve_r('N', q, g)
      call spoil(b_d(s+1:p,1:nrhs))
    else
      ! x' = Q*(R^-T*(b' - C'*x), the rest of Q^T*C'^T*R^-1*Q^T*x)
      u = x
      call times_q('T', q, tau, u)
      u = u(1:p,:)
      call solve_r('N', q, u)
      g = matmul(transpose(c_d), u)
      call times_q('T', q, tau, g)
      u = b_d(1:p,1:nrhs) - matmul(c_d, x)
      call solve_r('T', q, u)
      g(1:p,:) = u
      call times_q('N', q, tau, g)
    end if
    b_d(1:s,1:nrhs) = g
    call spoil(a_d(1:m,1:n))
  end subroutine

  subroutine costate_sgels_b(trans, m, n, nrhs, a, lda, b, ldb, work, lwork, info, a_b, b_b)
    character, intent(in) :: trans
    integer, intent(in) :: m, n, nrhs, lda, ldb, lwork, info
    real(wp), intent(in) :: a(lda,*), b(ldb,*), work(*)
    real(wp), intent(inout) :: a_b(lda,*), b_b(ldb,*)
    real(wp), allocatable :: c(:,:), c_b(:,:), r(:,:), x(:,:), g(:,:), z(:,:), q(:,:), tau(:)
    integer :: j, p, s
    if (lwork == -1) return
    if (min(m, n, nrhs) <= 0) then
      b_b(1:max(m,n),1:nrhs) = 0
      return
    end if
    c = operand(trans, a(1:m,1:n))
    p = size(c, 1)
    s = size(c, 2)
    call refuse_if_used(m, n, a_b, lda, 'factors that sgels leaves')
    if (p > s) call refuse_if_used(p - s, nrhs, b_b(s+1,1), ldb, 'what sgels leaves behind the solution')
    call factorise(c, q, tau)
    if (any([(q(j,j) == 0, j = 1, size(q, 2))])) then
      call refuse_if_used(max(m, n), nrhs, b_b, ldb, 'sgels with a matrix that hasn''t full rank')
      return
    end if
    g = b_b(1:s,1:nrhs)
    r = b(1:p,1:nrhs)
    allocate(z(p,nrhs), x(s,nrhs), source=0.0_wp)
    if (p >= s) then
      ! x = R^-1*Q^T*b; z = Q*R^-T*x_b, C_b = (b - C*x)*(R^-1*R^-T*x_b)^T - z*x^T
      z = r
      call times_q('T', q, tau, z)
      x = z(1:s,:)
      call solve_r('N', q, x)
      call solve_r('T', q, g)
      z = 0
      z(1:s,:) = g
      call times_q('N', q, tau, z)
      call solve_r('N', q, g)
      c_b = matmul(r - matmul(c, x), transpose(g)) - matmul(z, transpose(x))
    else
      ! x = Q*R^-T*b; z = R^-1*Q^T*x_b, C_b = (R^-1*R^-T*b)*(the rest of x_b)^T - z*x^T
      call solve_r('T', q, r)
      x(1:p,:) = r
      call times_q('N', q, tau, x)
      call solve_r('N', q, r)
      call times_q('T', q, tau, g)
      z = g(1:p,:)
      call solve_r('N', q, z)
      g(1:p,:) = 0
      call times_q('N', q, tau, g)
      c_b = matmul(r, transpose(g)) - matmul(z, transpose(x))
    end if
    a_b(1:m,1:n) = operand(trans, c_b)
    b_b(1:p,1:nrhs) = z
    b_b(p+1:max(m,n),1:nrhs) = 0
  end subroutine
end module
