! head: memory_got_once::march(t,r)/(t)
! head: memory_got_once::twice(t,r)/(t)
! head: memory_got_once::steps(t,r)/(t)
! head: memory_got_once::first_call(t,r)/(t)
! head: memory_got_once::grown(t,r)/(t)
! size: n=4
! Work arrays of modules that get memory in the first call of procedures, behind flags, as often as these
! run.
module memory_got_once
  implicit none
  real(8), allocatable, save, target :: pool(:)
  real(8), allocatable :: other(:), sized(:)
  logical, save :: ready = .false., first = .true.
contains
  subroutine init(n)
    integer, intent(in) :: n
    if (ready) return
    allocate(pool(0:2*n))
    pool = 0.5d0
    ready = .true.
  end subroutine
  subroutine march(n, t, r)
    integer, intent(in) :: n
    real(8), intent(inout) :: t(n)
    real(8), intent(out) :: r
    integer :: i
    call init(n)
    pool(1:n) = t**2
    r = 0
    do i = 1, n
      r = r + pool(i)*t(i)
    end do
    t = 0.7d0*pool(0:n-1) + t
  end subroutine
  subroutine twice(n, t, r)
    integer, intent(in) :: n
    real(8), intent(inout) :: t(n)
    real(8), intent(out) :: r
    call march(n, t, r)
    t = t*r
    call march(n, t, r)
  end subroutine
  subroutine steps(n, t, r)
    integer, intent(in) :: n
    real(8), intent(inout) :: t(n)
    real(8), intent(out) :: r
    integer :: k
    do k = 1, 5
      call march(n, t, r)
      t = sin(t)*0.1d0*r
    end do
  end subroutine
  subroutine first_call(n, t, r)
    integer, intent(in) :: n
    real(8), intent(inout) :: t(n)
    real(8), intent(out) :: r
    if (first) then
      allocate(other(n))
      other = 1
      first = .false.
    end if
    other(1:n) = 0.3d0*t + t**2
    r = sum(other*t)
  end subroutine
  subroutine grown(n, t, r)
    integer, intent(in) :: n
    real(8), intent(inout) :: t(n)
    real(8), intent(out) :: r
    if (.not. allocated(sized)) allocate(sized(n))
    if (size(sized) < n) then
      deallocate(sized)
      allocate(sized(n))
    end if
    sized(1:n) = t**3
    r = sum(sized(1:n)*t)
  end subroutine
end module
