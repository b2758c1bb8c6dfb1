! Loops whose iterations are shared out once more inside, among the lanes of a vector: what all lanes use of an array
! several outer iterations use, too.
! head: m::f(z)/(x,w)
! size: n=37
! threads: 4
module m
  implicit none
contains
  subroutine f(x, w, z, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(6, n), w(n)
    real(8), intent(out) :: z(6, n)
    real(8) :: t(6), s
    integer :: i, j, k
    !$omp parallel do private(j)
    do i = 1, n
      !$omp simd
      do j = 1, 6
        z(j, i) = x(j, i)*w(1 + mod(i, 2))*w(3)
      end do
    end do
    !$omp parallel do private(t, s, j)
    do i = 1, n
      s = 0
      !$omp simd reduction(+:s)
      do j = 1, 6
        t(j) = x(j, i)*w(1 + mod(i, 2))
        s = s + t(j)
      end do
      do j = 1, 6
        z(j, i) = z(j, i) + t(1)*t(j)*s*w(i)
      end do
    end do
    !$omp parallel do collapse(2) private(j)
    do i = 1, n
      do k = 1, 2
        !$omp simd
        do j = 3*k - 2, 3*k
          z(j, i) = z(j, i)*w(1 + mod(i + k, 3))
        end do
      end do
    end do
    !$acc parallel loop gang copyin(x, w) copy(z)
    do i = 1, n
      !$acc loop worker
      do k = 1, 2
        !$acc loop vector
        do j = 3*k - 2, 3*k
          z(j, i) = z(j, i) + x(j, i)*w(1 + mod(i + k, 3))**2
        end do
      end do
    end do
    do concurrent (i = 1:n)
      !$omp simd
      do j = 1, 6
        z(j, i) = z(j, i) + x(j, i)**2*w(1 + mod(i, 2))
      end do
    end do
  end subroutine
end module
