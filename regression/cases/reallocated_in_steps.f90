! head: m::run(x,j)/(x)
! size: n=5 nt=7
! steps that free, allocate and move memory of earlier steps, here and in a callee
module m
  implicit none
  real(8), allocatable :: w(:)
contains
  subroutine grow(a)
    real(8), allocatable, intent(inout) :: a(:)
    real(8), allocatable :: b(:)
    allocate(b(size(a)+1))
    b(1:size(a)) = a
    b(size(a)+1) = a(1)*a(2)
    call move_alloc(b, a)
  end subroutine
  subroutine run(n, nt, x, j)
    integer, intent(in) :: n, nt
    real(8), intent(inout) :: x(n)
    real(8), intent(out) :: j
    real(8), allocatable :: u(:), v(:), t(:)
    integer :: it, i
    allocate(u(n))
    if (allocated(w)) deallocate(w)
    u = x
!$ad checkpoint snapshots(3)
    do it = 1, nt
      if (it == 2) allocate(v(n))
      if (it == 2) v = 0.5d0*u(1:n)
      if (it == 3) call grow(u)
      if (it == 4) then
        t = v
        deallocate(v)
      end if
      if (mod(it, 3) == 0) then
        if (allocated(w)) then
          deallocate(w)
        else
          w = u
        end if
      end if
      if (it == 5) then
        allocate(v(size(t)+1))
        v(1:size(t)) = t
        v(size(t)+1) = u(1)
        deallocate(t)
      end if
      do i = 2, size(u)
        u(i) = u(i) - 0.02d0*u(i-1)*u(i)
      end do
      if (allocated(v)) v = v*u(1)
      if (allocated(w)) u(1) = u(1) + 0.1d0*sum(w)
    end do
    j = sum(u**2) + sum(v)
    if (allocated(w)) j = j + sum(w**2)
  end subroutine
end module
