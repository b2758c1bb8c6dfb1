! head: heat::run(j)/(u0)
! size: n=9 nt=7
! acc: host
! Data stay on the device through a time loop that runs in blocks; snapshots lie there, too.
module heat
  implicit none
contains
  subroutine run(n, nt, u0, j)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: u0(n, n)
    real(8), intent(out) :: j
    real(8) :: u(n, n), v(n, n), d
    integer :: i, k, t
    d = 0.2d0
    !$acc data copyin(u0) create(u, v)
    !$acc parallel loop collapse(2)
    do k = 1, n
      do i = 1, n
        u(i, k) = u0(i, k)
        v(i, k) = u0(i, k)
      end do
    end do
    do t = 1, nt
      !$acc parallel loop collapse(2) present(u, v)
      do k = 2, n - 1
        do i = 2, n - 1
          v(i, k) = u(i, k) + d*u(i, k)*(u(i - 1, k) + u(i + 1, k) + u(i, k - 1) + u(i, k + 1) - 4*u(i, k))
        end do
      end do
      !$acc parallel loop collapse(2) present(u, v)
      do k = 2, n - 1
        do i = 2, n - 1
          u(i, k) = v(i, k)
        end do
      end do
    end do
    j = 0
    !$acc parallel loop collapse(2) reduction(+:j)
    do k = 1, n
      do i = 1, n
        j = j + u(i, k)**2
      end do
    end do
    !$acc end data
  end subroutine run
end module heat
