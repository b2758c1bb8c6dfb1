! head: m::sections(t,rain)/(t,q)
! head: m::copied(t,rain)/(t,q)
! head: m::chunks(t,rain)/(t,q)
! head: m::steps(t,rain)/(t,q)
! head: m::tables(t,rain)/(t,q)
! head: m::own_blocks(t,rain)/(t,q)
! size: n=17
! size: k=3
! threads: 4
! Iterations have blocks of columns, which begin where the one before ends.
module sizes
  implicit none
  integer :: length = 4
end module sizes
module m
  use sizes
  implicit none
contains
  subroutine physics(k, nc, t, q, rain)
    integer, intent(in) :: k, nc
    real(8), intent(inout) :: t(k,nc)
    real(8), intent(in) :: q(k,nc)
    real(8), intent(inout) :: rain(nc)
    integer :: i, j
    do i = 1, k
      do j = 1, nc
        t(i,j) = t(i,j)*sin(q(i,j)) + t(i,j)**2
        rain(j) = rain(j) + t(i,j)*q(i,j)
      end do
    end do
  end subroutine physics

  subroutine sections(t, q, rain, n, k)
    integer, intent(in) :: n, k
    real(8), intent(inout) :: t(k,n), rain(n)
    real(8), intent(in) :: q(k,n)
    integer :: jb, is, ie
    !$omp parallel do private(is, ie) schedule(guided)
    do jb = 1, (n + length - 1)/length
      is = (jb-1)*length + 1
      ie = min(jb*length, n)
      call physics(k, ie - is + 1, t(:,is:ie), q(:,is:ie), rain(is:ie))
    end do
  end subroutine sections

  subroutine copied(t, q, rain, n, k)
    integer, intent(in) :: n, k
    real(8), intent(inout) :: t(k,n), rain(n)
    real(8), intent(in) :: q(k,n)
    integer, parameter :: nproma = 5
    real(8) :: zt(k,nproma), zq(k,nproma), zr(nproma)
    integer :: jb, jl, jk, jc, npromb
    !$omp parallel do private(zt, zq, zr, jl, jk, jc, npromb)
    do jb = 1, (n + nproma - 1)/nproma
      npromb = min(nproma, n - (jb-1)*nproma)
      do jl = 1, npromb
        jc = (jb-1)*nproma + jl
        do jk = 1, k
          zt(jk,jl) = t(jk,jc)
          zq(jk,jl) = q(jk,jc)
        end do
        zr(jl) = rain(jc)
      end do
      call physics(k, npromb, zt, zq, zr)
      do jl = 1, npromb
        jc = (jb-1)*nproma + jl
        do jk = 1, k
          t(jk,jc) = zt(jk,jl)
        end do
        rain(jc) = zr(jl)
      end do
    end do
  end subroutine copied

  subroutine chunks(t, q, rain, n, k)
    integer, intent(in) :: n, k
    real(8), intent(inout) :: t(k,n), rain(n)
    real(8), intent(in) :: q(k,n)
    integer :: c, is, ie
    real(8) :: mean
    !$omp parallel do schedule(static,1) private(is, ie, mean)
    do c = 1, 3
      is = (n*(c-1))/3 + 1
      ie = (n*c)/3
      mean = sum(q(1,is:ie))/(ie - is + 1)
      rain(is:ie) = rain(is:ie)*mean + q(1,is:ie)
      t(:,is:ie) = t(:,is:ie)*mean*t(:,is:ie)
    end do
  end subroutine chunks

  subroutine steps(t, q, rain, n, k)
    integer, intent(in) :: n, k
    real(8), intent(inout) :: t(k,n), rain(n)
    real(8), intent(in) :: q(k,n)
    integer :: is, ie, j
    !$omp parallel do private(ie, j)
    do is = 1, n, length
      ie = min(is + length - 1, n)
      do j = is, ie
        t(:,j) = t(:,j)*sum(t(:,j))
      end do
      call physics(k, ie - is + 1, t(:,is:ie), q(:,is:ie), rain(is:ie))
    end do
  end subroutine steps

  subroutine tables(t, q, rain, n, k)
    integer, intent(in) :: n, k
    real(8), intent(inout) :: t(k,n), rain(n)
    real(8), intent(in) :: q(k,n)
    integer :: first(3), last(3), b, j, i1, i2
    first = [1, n/4, n/2]
    last = [n/4 - 1, n/2 - 1, n]
    !$omp parallel do private(i1, i2, j)
    do b = 1, 3
      i1 = first(b)
      i2 = last(b)
      do j = i1, i2
        rain(j) = rain(j)*q(1,j)
        t(2,j) = rain(j)*t(2,j)
      end do
    end do
  end subroutine tables

  subroutine own_blocks(t, q, rain, n, k)
    integer, intent(in) :: n, k
    real(8), intent(inout) :: t(k,n), rain(n)
    real(8), intent(in) :: q(k,n)
    integer :: i
    !$omp parallel do
    do i = 0, (n - 1)/k - 1
      rain(k*i+1:k*i+k) = rain(k*i+1:k*i+k)*q(:,i+1)*t(:,i+1)
    end do
  end subroutine own_blocks
end module m
