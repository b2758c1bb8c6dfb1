! head: m::f(y)/(x)
! size: n=4
! a procedure that gives memory, one that computes, one that frees
module m
  implicit none
  type state
    real(8), pointer :: t(:) => null(), q(:) => null()
    integer :: n = 0
  end type state
contains
  subroutine make(s, n)
    type(state), intent(inout) :: s
    integer, intent(in) :: n
    allocate(s%t(n), s%q(n))
    s%n = n
  end subroutine make
  subroutine step(s, a)
    type(state), intent(inout) :: s
    real(8), intent(in) :: a
    integer :: i
    real(8), pointer :: w(:)
    allocate(w(s%n))
    w = s%t*a
    do i = 2, s%n
      s%t(i) = s%t(i) + w(i-1)*s%q(i)
      s%q(i) = s%q(i)*sin(s%t(i))
    end do
    deallocate(w)
  end subroutine step
  subroutine free(s)
    type(state), intent(inout) :: s
    deallocate(s%t, s%q)
  end subroutine free
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(state) :: s, r
    integer :: it
    call make(s, n)
    call make(r, n)
    s%t = x
    s%q = x**2
    do it = 1, 3
      call step(s, x(it))
      r%t = s%t
      r%q = s%q*it
      call step(r, 0.5d0)
    end do
    y = s%t*s%q + r%t*r%q
    call free(s)
    call free(r)
  end subroutine f
end module m
