! head: rows(u)/(r, u)
! head: both_ends(u)/(r, u)
! head: again(u)/(r, u)
! size: n=6 nt=4
! threads: 4
! Private work arrays whose first or last elements are assigned apart from the others, in time loops.
module m
  implicit none
contains
  subroutine rows(n, nt, r, u)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: r
    real(8), intent(inout) :: u(n,n)
    real(8) :: c(n), d(n)
    integer :: i, j, t
    do t = 1, nt
      !$omp parallel do private(i, c, d)
      do j = 1, n
        c(1) = -r/(1 + 2*r)
        d(1) = u(1,j)/(1 + 2*r)
        do i = 2, n
          c(i) = -r/(1 + 2*r + r*c(i-1))
          d(i) = (u(i,j) + r*d(i-1))/(1 + 2*r + r*c(i-1))
        end do
        u(n,j) = d(n)
        do i = n-1, 1, -1
          u(i,j) = d(i) - c(i)*u(i+1,j)
        end do
      end do
      !$omp parallel do private(j, c, d)
      do i = 1, n
        c(1) = -r/(1 + 2*r)
        d(1) = u(i,1)/(1 + 2*r)
        do j = 2, n
          c(j) = -r/(1 + 2*r + r*c(j-1))
          d(j) = (u(i,j) + r*d(j-1))/(1 + 2*r + r*c(j-1))
        end do
        u(i,n) = d(n)
        do j = n-1, 1, -1
          u(i,j) = d(j) - c(j)*u(i,j+1)
        end do
      end do
    end do
  end subroutine
  subroutine both_ends(n, nt, r, u)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: r
    real(8), intent(inout) :: u(n,n)
    real(8) :: w(0:n+1)
    integer :: i, j, t
    do t = 1, nt
      !$omp parallel do private(i, w)
      do j = 1, n
        w(0) = u(n,j)
        w(n+1) = u(1,j)**2
        do i = 1, n
          w(i) = u(i,j)
        end do
        do i = 1, n
          u(i,j) = w(i) + r*(w(i-1)*w(i+1) - w(i)**2)
        end do
      end do
    end do
  end subroutine
  ! Elements that an iteration assigns twice are saved.
  subroutine again(n, nt, r, u)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: r
    real(8), intent(inout) :: u(n,n)
    real(8) :: w(n)
    integer :: i, j, t
    do t = 1, nt
      !$omp parallel do private(i, w)
      do j = 1, n
        w(1) = u(1,j)
        do i = 2, n
          w(i) = u(i,j)*w(i-1)
        end do
        do i = n-1, 1, -1
          w(i) = w(i)**2 + r*w(i+1)
        end do
        w(n) = sin(w(n))*w(1)
        do i = 1, n
          if (mod(i+t, 2) == 0) w(i) = w(i)*w(n)
          u(i,j) = w(i)*r
        end do
      end do
    end do
  end subroutine
end module
