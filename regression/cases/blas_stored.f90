! Bands and packed triangles in BLAS, for all letters, and the rotation that takes an element to zero.
! head: stored::run(y)/(x)
! size: n=4
! link: -llapack -lblas
module stored
  implicit none
contains
  subroutine run(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: v(20), w(20), z(20), t(20), r(6), a, b, c, s
    complex(8) :: cv(20), cw(20), cz(20), cr(6)
    integer :: i, j, k, m
    y = 0
    do i = 1, 20
      v(i) = sin(x(mod(i, n) + 1)*i)
      w(i) = cos(x(mod(i, n) + 1) + i)
    end do
    cv = cmplx(v, w, 8)
    do i = 1, 2
      do j = 1, 3
        do k = 1, 2
          z = w
          t = v
          m = merge(2, 4, j == 1)
          call real_matrices(3, m, 1, 2, 'UL'(i:i), 'NTC'(j:j), 'NU'(k:k), k, v, w, v(3), w, z, t, v(2), w(1), r)
          y = y + 0.1d0*(z(1:n) + t(1:n)*r(2:n+1))
          cw = cmplx(w, v**2, 8)
          cz = cv
          call complex_matrices(3, m, 1, 2, 'UL'(i:i), 'NTC'(j:j), 'NU'(k:k), k, cv, cv(2), cv(3), cv, cw, cz, cv(2), &
            cv(1), cr)
          y = y + 0.01d0*real(cz(1:n)*cr(2:n+1)) + 0.1d0*aimag(cw(1:n))
        end do
      end do
    end do
    do i = 0, 2
      a = 3*i - 3 + x(1)
      b = 1 + x(2)
      call drotg(a, b, c, s)
      y(1) = y(1) + a*b + c*s**2
    end do
  end subroutine run

  subroutine real_matrices(n, m, kl, ku, uplo, trans, diag, inc, a, ab, ap, x, y, z, alpha, beta, r)
    integer, intent(in) :: n, m, kl, ku, inc
    character, intent(in) :: uplo, trans, diag
    real(8), intent(in) :: a(kl+ku+1,n), ab(ku+2,n), ap(n*(n+1)/2), x(20), alpha, beta
    real(8), intent(inout) :: y(20), z(20)
    real(8), intent(out) :: r(n*(n+1)/2)
    real(8) :: d(ku+2,n), p(n*(n+1)/2)
    integer :: i, k
    call dgbmv(trans, m, n, kl, ku, alpha, a, kl+ku+1, x, inc, beta, y, -2)
    call dsbmv(uplo, n, ku, y(1), ab, ku+2, x, inc, y(2), z, 1)
    z = 0.2d0*z
    call dtbmv(uplo, trans, diag, n, ku, ab, ku+2, z, inc)
    z = 0.2d0*z + y
    d = 0.3d0*ab
    do i = 1, n
      k = merge(ku+1, 1, uplo == 'U')
      d(k,i) = 3 + ab(k,i)
    end do
    call dtbsv(uplo, trans, diag, n, ku, d, ku+2, z, -1)
    z = 0.2d0*z
    call dspmv(uplo, n, alpha, ap, z, inc, beta, y, 2)
    p = ap
    call dspr(uplo, n, beta, y, inc, p)
    call dspr2(uplo, n, alpha, y, -1, z, 2, p)
    z = z + 0.1d0*y**2
    call dtpmv(uplo, trans, diag, n, p, z, -2)
    k = 0
    do i = 1, n
      if (uplo == 'U') then
        k = k + i
        p(k) = 4 + sin(p(k))
      else
        p(k+1) = 4 + sin(p(k+1))
        k = k + n - i + 1
      end if
    end do
    z = 0.2d0*z
    call dtpsv(uplo, trans, diag, n, p, z, inc)
    r = p*z(1)
  end subroutine real_matrices

  subroutine complex_matrices(n, m, kl, ku, uplo, trans, diag, inc, a, ab, ap, x, y, z, alpha, beta, r)
    integer, intent(in) :: n, m, kl, ku, inc
    character, intent(in) :: uplo, trans, diag
    complex(8), intent(in) :: a(kl+ku+1,n), ab(ku+2,n), ap(n*(n+1)/2), x(20), alpha, beta
    complex(8), intent(inout) :: y(20), z(20)
    complex(8), intent(out) :: r(n*(n+1)/2)
    complex(8) :: d(ku+2,n), p(n*(n+1)/2)
    integer :: i, k
    real(8) :: hb
    call zgbmv(trans, m, n, kl, ku, alpha, a, kl+ku+1, x, inc, beta, y, -2)
    call zhbmv(uplo, n, ku, y(1), ab, ku+2, x, inc, y(2), z, 1)
    z = 0.2d0*z
    call ztbmv(uplo, trans, diag, n, ku, ab, ku+2, z, inc)
    z = 0.2d0*z + y
    d = 0.3d0*ab
    do i = 1, n
      k = merge(ku+1, 1, uplo == 'U')
      d(k,i) = 3 + ab(k,i)
    end do
    call ztbsv(uplo, trans, diag, n, ku, d, ku+2, z, -1)
    z = 0.2d0*z
    call zhpmv(uplo, n, alpha, ap, z, inc, beta, y, 2)
    p = ap
    hb = real(beta,8)
    call zhpr(uplo, n, hb, y, inc, p)
    call zhpr2(uplo, n, alpha, y, -1, z, 2, p)
    z = z + 0.1d0*y**2
    call ztpmv(uplo, trans, diag, n, p, z, -2)
    k = 0
    do i = 1, n
      if (uplo == 'U') then
        k = k + i
        p(k) = 4 + 0.1d0*p(k)
      else
        p(k+1) = 4 + 0.1d0*p(k+1)
        k = k + n - i + 1
      end if
    end do
    z = 0.2d0*z
    call ztpsv(uplo, trans, diag, n, p, z, inc)
    r = p*z(1)
  end subroutine complex_matrices
end module stored
