! Times that procedures measure and add up: nothing but output depends on them, whoever runs again.
! head: app::f(y)/(x)
! size: n=4
module profile
  implicit none
  type :: times
    real(8) :: step = 0d0, halo = 0d0
    integer :: calls = 0
  end type
  type(times) :: profiler
  logical :: profiling = .true.
end module
module grid
  implicit none
  type :: field
    real(8), allocatable :: u(:), w(:)
  end type
  type(field) :: state
end module
real(8) function timer()
  implicit none
  integer :: count, rate
  call system_clock(count, rate)
  timer = real(count, 8)/rate
end function
module app
  implicit none
contains
  subroutine halo(n)
    use profile
    use grid
    integer, intent(in) :: n
    real(8) :: began, timer
    external :: timer
    if (profiling) began = timer()
    state%u(1) = state%u(n)*state%u(2)
    if (profiling) then
      profiler%halo = profiler%halo + (timer() - began)
      profiler%calls = profiler%calls + 1
    end if
  end subroutine
  subroutine step(n)
    use profile
    use grid
    integer, intent(in) :: n
    real(8) :: began, timer
    external :: timer
    integer :: i
    if (profiling) began = timer()
    do i = 2, n
      state%w(i) = sin(state%u(i)*state%u(i-1))
    end do
    call halo(n)
    state%u(2:n) = state%u(2:n) + 0.1d0*state%w(2:n)
    if (profiling) profiler%step = profiler%step + timer() - began
  end subroutine
  subroutine f(n, x, y)
    use profile
    use grid
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: k
    allocate(state%u(n), state%w(n))
    state%u = x
    state%w = 0
    do k = 1, 3
      call step(n)
    end do
    y = state%u
    deallocate(state%u, state%w)
  end subroutine
end module
