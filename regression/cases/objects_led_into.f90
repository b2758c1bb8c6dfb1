! head: m::f(y)/(x)
! objects whose allocatable components pointers lead into while they are saved before calls and brought back
module m
  implicit none
  type :: layer
    real(8), allocatable :: a(:)
    real(8) :: c
  end type layer
  type :: store
    type(layer) :: one
    type(layer) :: two(2)
    type(layer), allocatable :: more(:)
    real(8), pointer :: q(:) => null()
    integer :: k = 3
  end type store
  type :: view
    real(8), pointer :: p(:) => null()
  end type view
  type(layer), target :: kept
contains
  ! What a pointer leads to is any component.
  subroutine squared(p, t)
    real(8), pointer, intent(in) :: p(:)
    real(8), intent(in) :: t
    p = t*p**2 + 0.3d0
  end subroutine squared

  subroutine through(v, t)
    type(view), intent(in) :: v
    real(8), intent(in) :: t
    v%p = t*v%p**2 + 0.1d0
  end subroutine through

  subroutine change(s, p, t)
    type(store), intent(inout), target :: s
    real(8), pointer, intent(in) :: p(:)
    real(8), intent(in) :: t
    p = t*p**2 + s%one%a(1)*s%more(2)%a
    s%more(1)%a = s%more(1)%a*p
    s%one%c = s%one%c*p(2)
    s%two(2)%a = s%two(2)%a**2 + s%q
    s%q = s%q*s%one%c
    s%k = s%k + 1
    kept%a = kept%a*s%more(1)%a
  end subroutine change

  subroutine set(s, n, x)
    type(store), intent(inout) :: s
    integer, intent(in) :: n
    real(8), intent(in) :: x(3)
    integer :: i
    allocate (s%one%a(0:n - 1), s%more(2))
    s%one%a = x(1)
    s%one%c = x(2)
    do i = 1, 2
      allocate (s%two(i)%a(n), s%more(i)%a(n))
      s%two(i)%a = 0.1d0*i*x(1)
      s%more(i)%a = 0.2d0*i*x(2)
      s%two(i)%c = i*x(3)
      s%more(i)%c = i*x(3)
    end do
  end subroutine set

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(store), target :: s
    type(layer), target :: t(2)
    type(view) :: v
    real(8), target :: z(n)
    real(8), pointer :: p(:), r(:), k(:)
    integer :: i
    if (allocated(kept%a)) deallocate (kept%a)
    allocate (kept%a(n))
    kept%a = x(1)
    kept%c = 1
    k => kept%a
    call set(s, n, x)
    z = 0.5d0*x(3)
    s%q => z
    p => s%more(2)%a
    r => s%two(2)%a
    do i = 1, n
      call change(s, p, x(1))
      if (i > 2) p => s%two(1)%a
      r = r*x(2)
    end do
    y = sum(p*r) + sum(s%more(1)%a) + s%one%c + s%k + sum(z) + sum(k**2)
    ! A pointer to either of two, in a loop of unknown length.
    do i = 1, 2
      allocate (t(i)%a(n))
      t(i)%a = 0.3d0*i*x(2)
      t(i)%c = x(3)
    end do
    p => t(1)%a
    i = 0
    do while (sum(p) < 6 .and. i < 5)
      i = i + 1
      call squared(p, x(3) + 0.2d0)
      v%p => t(mod(i, 2) + 1)%a
      call through(v, x(1))
      if (i > 2) p => t(2)%a
    end do
    y = y + sum(p*v%p) + t(1)%c*sum(t(2)%a)
  end subroutine f
end module m
