! head: m::step(g)/(g)
! head: m::relax(c%u)/(c%u,c%par%rate)
! head: m::columns(s)/(s,w)
! head: m::cells(f)/(f%q)
! size: nsub=3
! threads: 4
! Fields that are components with memory of their own, in loops that threads share out: what is saved of them, what is added to
! neighbours' elements, and what all iterations add to.
module m
  implicit none
  type grid
    integer :: nx = 7, ny = 9
    real(8) :: kappa = 0.1d0
    real(8) :: h(0:8,0:10)
    integer :: mask(0:8,0:10) = 1
  end type
  type rates
    real(8) :: rate = 0.2d0, other(2) = 0.1d0
  end type
  type chain
    integer :: n = 12
    type(rates) :: par
    real(8) :: u(12) = 0.5d0
  end type
  type state
    real(8) :: t(5,8), q(5,8)
    integer :: ncol = 8, nlev = 5
  end type
  type fluxes
    real(8) :: q(10) = 1, total = 0
  end type
contains
  subroutine step(g, nsub)
    type(grid), intent(inout) :: g
    integer, intent(in) :: nsub
    real(8) :: tend(7,9)
    integer :: i, j, s
    g%nx = 7
    g%ny = 9
    do s = 1, nsub
      !$omp parallel do private(i)
      do j = 1, g%ny
        do i = 1, g%nx
          tend(i,j) = 0
          if (g%mask(i,j) == 1) tend(i,j) = g%kappa*(g%h(i+1,j) + g%h(i-1,j) + g%h(i,j+1) + g%h(i,j-1) - 4*g%h(i,j)) &
                                            - 0.01d0*g%h(i,j)**2
        end do
      end do
      !$omp parallel do private(i)
      do j = 1, g%ny
        do i = 1, g%nx
          g%h(i,j) = g%h(i,j)*(1 + 0.1d0*tend(i,j))
        end do
      end do
    end do
  end subroutine
  subroutine relax(c, nsub)
    type(chain), intent(inout) :: c
    integer, intent(in) :: nsub
    real(8) :: d(12)
    integer :: i, s
    c%n = 12
    do s = 1, nsub
      d = 0
      !$omp parallel do
      do i = 2, c%n - 1
        d(i) = c%par%rate*(c%u(i-1) - 2*c%u(i) + c%u(i+1))*c%u(i) + c%par%other(1 + mod(i, 2))*c%u(1)
      end do
      !$omp parallel do
      do i = 1, c%n
        c%u(i) = c%u(i) + d(i)*c%u(i)
      end do
      ! The limit changes.
      if (s == 2) c%n = c%n - 1
    end do
  end subroutine
  subroutine columns(s, w, nsub)
    type(state), intent(inout) :: s
    real(8), intent(in) :: w
    integer, intent(in) :: nsub
    real(8) :: d
    integer :: i, k, m
    s%ncol = 8
    s%nlev = 5
    do m = 1, nsub
    !$omp parallel do private(k, d)
    do i = 1, s%ncol
      do k = 2, s%nlev
        d = max(s%q(k,i) - w*s%t(k-1,i), 0d0)
        s%q(k,i) = s%q(k,i) - 0.5d0*d*s%t(k,i)
        s%t(k,i) = s%t(k,i) + d**2
      end do
    end do
    end do
  end subroutine
  subroutine cells(f, nsub)
    type(fluxes), intent(inout) :: f
    integer, intent(in) :: nsub
    integer :: i, m
    real(8) :: total
    do m = 1, nsub
    total = 0
    !$omp parallel do reduction(+:total)
    do i = 2, 9
      total = total + f%q(i-1)*f%q(i+1)*f%q(1)*f%q(3)
    end do
    f%total = total
    !$omp parallel do
    do i = 1, 10
      f%q(i) = f%q(i)*f%total
    end do
    end do
  end subroutine
end module
