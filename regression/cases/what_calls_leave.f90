! head: twice_m::f(y)/(x)
! head: overwritten_m::f(y)/(x)
! head: sections_m::f(y)/(x)
! head: branches_m::f(y)/(x)
! head: steps_m::f(y)/(x)
! head: nested_m::f(y)/(x)
! head: partly_m::f(y)/(x)
! head: absent_m::f(y)/(x)
! head: objects_m::f(y)/(x)
! head: same_m::f(y)/(x)
! head: place_m::f(y)/(x)
! head: index_m::f(y)/(x)
! head: both_m::f(y)/(x)
! head: module_m::f(y)/(x)
! size: n=6

! Procedures whose backward sweep uses nothing but what calls leave, called in all kinds of places.

! The result is used twice, and stays.
module twice_m
contains
  subroutine g(u, v, s)
    real(8), intent(in) :: u(:)
    real(8), intent(out) :: v(:), s
    integer :: i
    do i = 1, size(u)
      v(i) = u(i)*u(i) + 1d0
    end do
    s = sum(v*u)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: v(n), s
    call g(x, v, s)
    y = s*sum(sin(v))
  end subroutine
end module

! What a call leaves is overwritten by the next.
module overwritten_m
contains
  subroutine g(u, v, s)
    real(8), intent(in) :: u(:)
    real(8), intent(out) :: v(:), s
    v = exp(u)
    s = sum(v*v)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: v(n), w(n), s, t
    call g(x, v, s)
    w = 0.1d0*v
    y = s
    call g(w, v, t)
    y = y + t*v(1)
    v = 0d0
    call g(x, v, t)
    y = y*t + v(n)
  end subroutine
end module

! Sections and elements, in loops.
module sections_m
contains
  subroutine g(k, u, v, s)
    integer, intent(in) :: k
    real(8), intent(in) :: u(k)
    real(8), intent(out) :: v(k), s
    integer :: i
    v(1) = u(1)
    do i = 2, k
      v(i) = 2d0*u(i) - u(1)
    end do
    s = 1d0 + sum(v**2)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: a(n,n), s(n)
    integer :: j
    do j = 1, n
      call g(n, x, a(1,j), s(j))
      call g(j, x(1:j), a(1:j,j), s(j))
      a(:,j) = a(:,j)*s(j)
    end do
    y = sum(a*a) + sum(s)
    do j = n, 1, -1
      call g(n/2, a(2:n:2,j), a(1:n-1:2,j), s(1))
      y = y + s(1)*a(1,j)
    end do
  end subroutine
end module

! In branches, loops without end and with none.
module branches_m
contains
  subroutine g(u, v)
    real(8), intent(in) :: u
    real(8), intent(out) :: v(2)
    v(1) = sqrt(u)
    v(2) = v(1)*u
    v(2) = v(2)*v(1)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: v(2), t
    integer :: i, k
    y = 0d0
    v = 1d0
    do i = 1, n
      t = x(i)**2 + 0.1d0
      if (mod(i, 3) == 0) then
        call g(t, v)
      else if (mod(i, 3) == 1) then
        call g(t + v(1)**2, v)
        y = y + v(2)
      end if
      k = 0
      do while (k < mod(i, 3))
        k = k + 1
        call g(v(1) + t, v)
      end do
      do k = 1, 0
        call g(t, v)
      end do
      y = y + v(1)*v(2)
    end do
  end subroutine
end module

! Time steps in place and beside.
module steps_m
contains
  subroutine step(u, w, e)
    real(8), intent(in) :: u(:)
    real(8), intent(out) :: w(:), e
    integer :: i
    do i = 2, size(u) - 1
      w(i) = u(i) + 0.1d0*(u(i-1) - 2d0*u(i) + u(i+1))
    end do
    w(1) = 0d0
    w(size(u)) = u(size(u))
    e = 1d0 + sum(w*w)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: u(n), w(n), e
    integer :: k
    u = x
    y = 0d0
    do k = 1, 7
      call step(u, w, e)
      u = w*w/e
      y = y + e*u(2)
    end do
    y = y + sum(u*u)
  end subroutine
end module

! Calls in calls.
module nested_m
contains
  subroutine h(a, b)
    real(8), intent(in) :: a(:)
    real(8), intent(out) :: b(:)
    b = tanh(a)
    b = b*sum(a)
  end subroutine
  subroutine g(u, v, s)
    real(8), intent(in) :: u(:)
    real(8), intent(out) :: v(:), s
    call h(u, v)
    s = sum(v*u) + v(1)**2
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: v(n), w(n), s
    integer :: k
    w = x
    y = 0d0
    do k = 1, 3
      call g(w, v, s)
      w = v/s
      y = y + s
    end do
    y = y + sum(w**2)
  end subroutine
end module

! The call changes some elements alone, and some variables at times.
module partly_m
contains
  subroutine g(k, u, v, s)
    integer, intent(in) :: k
    real(8), intent(in) :: u(:)
    real(8), intent(inout) :: v(:), s
    integer :: i
    do i = 1, size(v), 2
      v(i) = u(i)**3
    end do
    if (k > 2) s = sum(v*v)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: v(n), s
    integer :: k
    v = 2d0*x
    s = x(1)
    y = 0d0
    do k = 1, 5
      call g(k, x, v, s)
      y = y + s*sum(v)*s
      v(k) = v(k)*s*0.01d0
    end do
  end subroutine
end module

! Arguments that aren't there.
module absent_m
contains
  subroutine g(u, v, s)
    real(8), intent(in) :: u(:)
    real(8), intent(out) :: v(:)
    real(8), intent(out), optional :: s
    v = u*u
    if (present(s)) s = sum(v*v)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: v(n), s
    integer :: k
    y = 0d0
    do k = 1, 3
      call g(x, v)
      y = y + sum(v*v)
      call g(0.5d0*v, s=s, v=v)
      y = y + s*v(1)
    end do
  end subroutine
end module

! Components.
module objects_m
  type t
    real(8) :: a(3), s
  end type
contains
  subroutine g(u, v, s)
    real(8), intent(in) :: u(3)
    real(8), intent(out) :: v(3), s
    v = u*u(1)
    s = sum(v*v*u)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    type(t) :: p(2), q
    integer :: k
    y = 0d0
    do k = 1, 2
      call g(x(k:k+2), p(k)%a, p(k)%s)
      q = p(k)
      call g(q%a, p(3-k)%a, q%s)
      y = y + q%s*p(3-k)%a(2) + p(k)%s
    end do
  end subroutine
end module

! One variable for two arguments, and what an argument is found by changes.
module same_m
contains
  subroutine g(u, v, s)
    real(8), intent(in) :: u(:)
    real(8), intent(out) :: v(:), s
    v = sin(u)
    s = sum(v*v)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: a(n,2), s(2)
    integer :: k, m
    a(:,1) = x
    s = 0d0
    y = 1d0
    m = 1
    do k = 1, 4
      call g((a(:,m)), a(:,m), s(m))
      y = y*(1d0 + s(m))
      m = 3 - m
      call g(a(:,3-m), a(:,m), s(m))
      a(:,m) = a(:,m) + x*s(m)
    end do
    y = y + sum(a)
  end subroutine
end module

! In place.
module place_m
contains
  subroutine g(v, s)
    real(8), intent(inout) :: v(:), s
    v = exp(0.1d0*v)
    s = s + sum(v*v)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: v(n), s
    integer :: k
    v = x
    s = 0d0
    do k = 1, 4
      call g(v, s)
    end do
    y = s*v(1)
  end subroutine
end module

! An index and a number of elements come from the call.
module index_m
contains
  subroutine g(u, v, k, m)
    real(8), intent(in) :: u(:)
    real(8), intent(out) :: v(:)
    integer, intent(out) :: k, m
    k = maxloc(u, 1)
    m = count(u > 0d0)
    v = u*u(k)
    v(k) = v(k)*v(k)
    v(1:m) = v(1:m) + u(k)**2
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: v(n), w(n)
    integer :: k, m, i
    w = x
    y = 0d0
    do i = 1, 3
      call g(w, v, k, m)
      w = 0.2d0*v
      y = y + sum(v(1:m))*v(k)
    end do
    k = 1
    m = 2
  end subroutine
end module

! Some calls have what is left, others don't.
module both_m
contains
  subroutine g(u, v)
    real(8), intent(in) :: u(:)
    real(8), intent(out) :: v(:)
    v = u*u
    v = v*v(1)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: v(n), w(n)
    integer :: k
    call g(x, w)
    y = sum(sin(w))
    do k = 1, 3
      call g(x*k, v)
      y = y + sum(v)
      v = 0d0
    end do
    y = y + w(n)*w(1)
  end subroutine
end module

! Variables of the module and arrays in the procedure's own memory.
module module_m
  real(8) :: scale = 2d0, kept(4)
contains
  subroutine g(u, v)
    real(8), intent(in) :: u(:)
    real(8), intent(out) :: v(:)
    real(8), allocatable :: w(:)
    w = u*scale
    v = w*w
    v = v*sum(v)
    scale = scale + v(1)
    kept(1) = v(2)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: v(n)
    integer :: k
    y = 0d0
    scale = 0.1d0*x(2)
    do k = 1, 3
      call g(x, v)
      y = y + sum(v)*scale + kept(1)
      scale = 0.3d0*scale
    end do
  end subroutine
end module
