! head: phases(y)/(x)
! head: brought(y)/(x)
! head: edges(y)/(x)
! head: halves(y)/(x)
! head: asked(y)/(x)
! head: bundled(y)/(x)
! head: perhaps(y)/(x)
! head: columns(y)/(x)
! head: ends(y)/(x)
! size: n=7
! acc: host
! Procedures that work on an array on the host and on the device, with updates between, before or behind: which copy is up to
! date where they are called follows from the order of what they do.
module current_copies
  implicit none
  real(8) :: field(40)
contains
  ! Without the device's copy from outside the first change is taken there; with it, it would be lost.
  subroutine phase(n, u)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    integer :: i
    u(1) = u(1)*0.9d0
    !$acc data copy(u)
    !$acc parallel loop
    do i = 1, n
      u(i) = u(i)**2
    end do
    !$acc update self(u)
    u(n) = u(n)*u(1)
    !$acc update device(u)
    !$acc end data
    u(2) = 0.7d0*u(2)
  end subroutine phase

  subroutine phases(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n)
    integer :: i
    a = x
    !$acc parallel loop copy(a)
    do i = 1, n
      a(i) = a(i) + 0.3d0*sin(a(i))
    end do
    call phase(n, a)
    !$acc parallel loop copy(a)
    do i = 1, n
      a(i) = a(i)**2
    end do
    y = a
  end subroutine phases

  subroutine lift()
    !$acc update device(field)
  end subroutine lift

  subroutine lower()
    !$acc update self(field)
  end subroutine lower

  ! Only called procedures bring what the host changes.
  subroutine brought(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    field(1:n) = x
    !$acc data copy(field)
    !$acc parallel loop
    do i = 1, n
      field(i) = sin(field(i))
    end do
    call lower()
    field(1) = field(1)**2
    call lift()
    !$acc parallel loop
    do i = 1, n
      field(i) = field(i)**2 + field(i)
    end do
    !$acc end data
    y = field(1:n)
  end subroutine brought

  ! Both edges: what is brought to the device is what was changed, or less than that.
  subroutine edge(n, u, all)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    logical, intent(in) :: all
    !$acc update self(u(1:1))
    !$acc update self(u(n:n))
    u(1) = u(1)*u(n)
    u(n) = 0.4d0*u(n)
    if (all) then
      !$acc update device(u(1:1))
      !$acc update device(u(n:n))
    else
      !$acc update device(u(1:1))
    end if
  end subroutine edge

  subroutine rest(n, u)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    !$acc update device(u(n:n))
  end subroutine rest

  subroutine edges(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n)
    integer :: i, k
    a = x
    !$acc data copy(a)
    do k = 1, 3
      !$acc parallel loop
      do i = 1, n
        a(i) = a(i) + 0.2d0*cos(a(i))
      end do
      call edge(n, a, k < 2)
      if (k >= 2) call rest(n, a)
    end do
    !$acc end data
    y = a*a
  end subroutine edges

  ! The device's work, then the host's; the caller brings it.
  subroutine half(n, u)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    integer :: i
    !$acc parallel loop present(u)
    do i = 1, n
      u(i) = u(i)*(1d0 + 0.3d0*u(i))
    end do
    !$acc update self(u)
    call on_host(n, u)
  end subroutine half

  subroutine on_host(n, u)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    u(1) = u(1)**2
    u(n) = u(n)*0.5d0
  end subroutine on_host

  subroutine halves(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n)
    integer :: i
    a = x
    !$acc data copy(a)
    call half(n, a)
    a(2) = a(2)*a(n)
    !$acc update device(a)
    !$acc parallel loop
    do i = 1, n
      a(i) = a(i)*a(i) + x(i)
    end do
    ! The first elements only.
    call half(n - 3, a)
    !$acc update device(a(1:n-3))
    !$acc end data
    y = a
  end subroutine halves

  ! A function that brings its argument to the host, in a condition.
  subroutine asked(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n)
    integer :: i
    a = x
    !$acc data copy(a)
    !$acc parallel loop
    do i = 1, n
      a(i) = 2d0*sin(a(i)) + 1d0
    end do
    if (largest(n, a) > 0.5d0) then
      !$acc parallel loop
      do i = 1, n
        a(i) = a(i)*0.5d0*a(i)
      end do
    end if
    y = largest(n, a)*x
    !$acc end data
    y = y + a
  end subroutine asked

  real(8) function largest(n, u)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    !$acc update self(u)
    largest = maxval(u)
  end function largest

  ! Names of `associate`, loops that are left, and returns, between what both sides do.
  subroutine bundle(n, u, k)
    integer, intent(in) :: n, k
    real(8), intent(inout) :: u(n)
    integer :: i, j
    do j = 1, 3
      if (j > k) exit
      !$acc parallel loop present(u)
      do i = 1, n
        u(i) = u(i) + 0.1d0*u(i)**2
      end do
      if (j == 2) cycle
      !$acc update self(u)
      associate (first => u(1), most => u)
        first = first*0.8d0
        most(n) = most(n)*first
      end associate
      !$acc update device(u)
    end do
    if (k > 1) return
    !$acc update self(u)
    u(2) = u(2)**2
    !$acc update device(u)
  end subroutine bundle

  subroutine bundled(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n)
    integer :: i, k
    a = x
    !$acc data copy(a)
    do k = 1, 3
      call bundle(n, a, k)
      !$acc parallel loop
      do i = 1, n
        a(i) = sin(a(i))
      end do
    end do
    !$acc end data
    y = a
  end subroutine bundled

  ! Updates of what may be there, and sections of dummies.
  subroutine raise(n, u)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    !$acc update device(u) if_present
  end subroutine raise

  subroutine mixed(n, u, v)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n), v(n)
    integer :: i
    call raise(n, u)
    !$acc parallel loop
    do i = 1, n
      u(i) = 0.3d0*v(i)**2 + 0.4d0*u(i)
    end do
    !$acc update self(u) if_present
    do i = 1, n
      u(i) = u(i)*(0.5d0 + 0.3d0*u(i))
    end do
  end subroutine mixed

  subroutine passed_on(n, u, v)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(:), v(:)
    call mixed(n, v(1:n), u)
  end subroutine passed_on

  subroutine perhaps(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: b(n), c(n)
    b = 0.5d0 + 0.3d0*sin(x)
    c = 0.4d0*x
    call passed_on(n, c, b)
    y = b*c
  end subroutine perhaps

  ! The part that is brought to the device is the same as the one that was changed as long as its subscripts are.
  subroutine column(n, w, k)
    integer, intent(in) :: n, k
    real(8), intent(inout) :: w(n, 3)
    integer :: i, j
    do j = 1, 2
      !$acc parallel loop present(w)
      do i = 1, n
        w(i, j) = w(i, j)*0.6d0 + w(i, j + 1)**2
      end do
      !$acc update self(w(:, j))
      w(1, j) = w(1, j)*0.5d0 + w(n, j)
      !$acc update device(w(:, j))
    end do
    j = k
    !$acc update self(w)
    w(1, j) = 0.3d0*w(1, j)
    j = 3
    w(1, j) = w(1, j)*1.2d0
    !$acc update device(w(1:1, j:j))
  end subroutine column

  subroutine columns(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: w(n, 3)
    integer :: i
    w(:, 1) = x
    w(:, 2) = x**2
    w(:, 3) = 0.5d0
    !$acc data copy(w)
    call column(n, w, 2)
    !$acc update device(w(1:1, 2:2))
    !$acc parallel loop
    do i = 1, n
      w(i, 1) = w(i, 1)*w(i, 2) + w(i, 3)
    end do
    !$acc end data
    y = w(:, 1)
  end subroutine columns

  ! Sections that may be empty, subscripts that change, and a device that is used under a condition.
  subroutine tail(n, u, m)
    integer, intent(in) :: n
    integer, intent(inout) :: m
    real(8), intent(inout) :: u(n)
    integer :: i
    !$acc parallel loop if(n > 3)
    do i = 1, n
      u(i) = 0.6d0*u(i) + 0.3d0*u(i)**2
    end do
    !$acc update self(u) if_present if(n > 3)
    u(n) = u(n)*u(1)
    !$acc update device(u(2:n)) if_present
    u(m) = u(m)*1.1d0
    m = 1
    !$acc update device(u(m:m)) if_present
  end subroutine tail

  subroutine ends(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: b(n)
    integer :: i, m
    m = min(n, 3)
    b = 0.5d0 + 0.3d0*sin(x)
    call tail(n, b, m)
    !$acc parallel loop
    do i = 1, n
      y(i) = b(i)*b(i)
    end do
  end subroutine ends
end module current_copies
