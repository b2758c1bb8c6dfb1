! Inverses, indefinite matrices and packed triangles in LAPACK, for both triangles, and a system that can't be solved.
! head: m::run(y)/(x)
! size: n=3
! link: -llapack -lblas
module m
  implicit none
contains
  subroutine run(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n,n), b(n,2), t(n,2), f(n,n), d(n), e(n), u(n), rcond, w(4*n)
    complex(8) :: ca(n,n), cb(n,2), ct(n,2), cf(n,n)
    integer :: i, j, info, iw(n)
    do j = 1, n
      a(:,j) = sin(j*x + 0.3d0*x(j))
    end do
    b(:,1) = x**2
    b(:,2) = 1 - x
    ca = cmplx(a, transpose(a)**2, 8)
    cb = cmplx(b, 0.5d0*b(:,[2, 1]), 8)
    y = 0
    do i = 1, 2
      call real_matrices(n, 2, 'UL'(i:i), 'NU'(i:i), a, b, t, f)
      y = y + t(:,1)*t(:,2) + f(:,2)
      call complex_matrices(n, 2, 'UL'(i:i), 'UN'(i:i), ca, cb, ct, cf)
      y = y + real(ct(:,1)*ct(:,2)) + aimag(cf(:,2)) + real(cf(2,:))
    end do
    ! Nothing depends on the condition of the matrix but the way that is taken.
    call dgecon('1', n, a, n, 1d0, rcond, w, iw, info)
    if (rcond < 0) y = 0
    info = 7
    call dgtsv(0, 1, d, e, u, t, 1, info)
    y(1) = y(1)*(1 + info)
    d = 0
    e = 0
    u = 0
    t = b
    call dgtsv(n, 2, d, e, u, t, n, info)
    if (info == 0) y = y + t(:,1)
  end subroutine run

  subroutine real_matrices(n, nr, uplo, diag, a, b, x, f)
    integer, intent(in) :: n, nr
    character, intent(in) :: uplo, diag
    real(8), intent(in) :: a(n,n), b(n,nr)
    real(8), intent(out) :: x(n,nr), f(n,n)
    real(8) :: c(n+1,n), w(64*n+1), s(n,n), p(n*(n+1)/2), y(n+2,nr)
    integer :: piv(n), info, i, j, k
    ! general inverse
    c(1:n,:) = a
    do i = 1, n
      c(i,i) = c(i,i) + 2
    end do
    call dgetrf(n, n, c, n+1, piv, info)
    call dgetri(n, c, n+1, piv, w, 64*n, info)
    s = matmul(transpose(c(1:n,:)), c(1:n,:))
    do i = 1, n
      s(i,i) = s(i,i) + 1
    end do
    ! inverse by Cholesky
    c(1:n,:) = s
    call dpotrf(uplo, n, c, n+1, info)
    call dpotri(uplo, n, c, n+1, info)
    f = 0
    do j = 1, n
      do i = 1, n
        if (i <= j .and. uplo == 'U' .or. i >= j .and. uplo == 'L') f(i,j) = c(i,j)
      end do
    end do
    c(1:n,:) = f
    call dtrtri(uplo, diag, n, c, n+1, info)
    do j = 1, n
      do i = 1, n
        if (i <= j .and. uplo == 'U' .or. i >= j .and. uplo == 'L') f(i,j) = f(i,j) + sin(c(i,j))
      end do
    end do
    ! indefinite
    c(1:n,:) = s
    do i = 1, n, 2
      c(i,i) = c(i,i) - 7
    end do
    x = b
    call dsysv(uplo, n, nr, c, n+1, piv, x, n, w, 64*n, info)
    x = sin(x)
    ! packed
    k = 0
    do j = 1, n
      do i = 1, n
        if (i <= j .and. uplo == 'U' .or. i >= j .and. uplo == 'L') then
          k = k + 1
          p(k) = s(i,j)
        end if
      end do
    end do
    y(1:n,:) = x
    call dppsv(uplo, n, nr, p, y, n+2, info)
    f = f*p(1)
    y(1:n,:) = y(1:n,:) + x
    call dpptrs(uplo, n, nr, p, y, n+2, info)
    k = 0
    do j = 1, n
      do i = 1, n
        if (i <= j .and. uplo == 'U' .or. i >= j .and. uplo == 'L') then
          k = k + 1
          p(k) = s(i,j) + 0.1d0*sin(p(k))
        end if
      end do
    end do
    call dpptrf(uplo, n, p, info)
    call dpptrs(uplo, n, nr, p, y, n+2, info)
    x = x + y(1:n,:)
  end subroutine real_matrices

  subroutine complex_matrices(n, nr, uplo, diag, a, b, x, f)
    integer, intent(in) :: n, nr
    character, intent(in) :: uplo, diag
    complex(8), intent(in) :: a(n,n), b(n,nr)
    complex(8), intent(out) :: x(n,nr), f(n,n)
    complex(8) :: c(n+1,n), w(64*n+1), s(n,n), p(n*(n+1)/2), y(n+2,nr)
    integer :: piv(n), info, i, j, k
    ! general inverse
    c(1:n,:) = a
    do i = 1, n
      c(i,i) = c(i,i) + 2
    end do
    call zgetrf(n, n, c, n+1, piv, info)
    call zgetri(n, c, n+1, piv, w, 64*n, info)
    s = matmul(conjg(transpose(c(1:n,:))), c(1:n,:))
    do i = 1, n
      s(i,i) = s(i,i) + 1
    end do
    ! inverse by Cholesky
    c(1:n,:) = s
    call zpotrf(uplo, n, c, n+1, info)
    call zpotri(uplo, n, c, n+1, info)
    f = 0
    do j = 1, n
      do i = 1, n
        if (i <= j .and. uplo == 'U' .or. i >= j .and. uplo == 'L') f(i,j) = c(i,j)
      end do
    end do
    c(1:n,:) = f
    call ztrtri(uplo, diag, n, c, n+1, info)
    do j = 1, n
      do i = 1, n
        if (i <= j .and. uplo == 'U' .or. i >= j .and. uplo == 'L') f(i,j) = f(i,j) + sin(c(i,j))
      end do
    end do
    ! indefinite
    c(1:n,:) = s
    do i = 1, n, 2
      c(i,i) = c(i,i) - 7
    end do
    x = b
    call zhesv(uplo, n, nr, c, n+1, piv, x, n, w, 64*n, info)
    x = sin(x)
    ! packed
    k = 0
    do j = 1, n
      do i = 1, n
        if (i <= j .and. uplo == 'U' .or. i >= j .and. uplo == 'L') then
          k = k + 1
          p(k) = s(i,j)
        end if
      end do
    end do
    y(1:n,:) = x
    call zppsv(uplo, n, nr, p, y, n+2, info)
    f = f*p(1)
    y(1:n,:) = y(1:n,:) + x
    call zpptrs(uplo, n, nr, p, y, n+2, info)
    k = 0
    do j = 1, n
      do i = 1, n
        if (i <= j .and. uplo == 'U' .or. i >= j .and. uplo == 'L') then
          k = k + 1
          p(k) = s(i,j)
        end if
      end do
    end do
    call zpptrf(uplo, n, p, info)
    call zpptrs(uplo, n, nr, p, y, n+2, info)
    x = x + y(1:n,:)
  end subroutine complex_matrices
end module m
