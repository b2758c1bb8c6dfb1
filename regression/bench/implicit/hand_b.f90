! hand-written adjoint of implicit: states are kept, and the transposed system is solved
subroutine kernel_b(n, nsteps, u, ub, f, fb) bind(C, name="kernel_b")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n, nsteps
  real(c_double), intent(inout) :: u(n), ub(n), f, fb
  real(c_double), allocatable :: s(:,:), k(:), dl(:), d(:), du(:), kb(:)
  real(c_double) :: dlb, dub
  integer :: it, i, info
  allocate(s(n,0:nsteps), k(n), dl(n-1), d(n), du(n-1), kb(n))
  s(:,0) = u
  do it = 1, nsteps
    call matrix(s(:,it-1))
    s(:,it) = s(:,it-1)
    call dgtsv(n, 1, dl, d, du, s(1,it), n, info)
  end do
  u = s(:,nsteps)
  f = sum(u**2)
  ub = ub + 2d0*fb*u
  fb = 0d0
  do it = nsteps, 1, -1
    call matrix(s(:,it-1))
    call dgtsv(n, 1, du, d, dl, ub, n, info)
    ! d = 1 - dl - du in a row, so that the elements' adjoints are those of differences of the state.
    kb = 0d0
    do i = 2, n - 1
      dlb = ub(i)*(s(i,it) - s(i-1,it))
      dub = ub(i)*(s(i,it) - s(i+1,it))
      kb(i-1) = kb(i-1) - 0.5d0*dlb
      kb(i) = kb(i) - 0.5d0*(dlb + dub)
      kb(i+1) = kb(i+1) - 0.5d0*dub
    end do
    ub = ub + 2d0*s(:,it-1)*kb
  end do
contains
  subroutine matrix(v)
    real(c_double), intent(in) :: v(n)
    k = 0.5d0 + v**2
    d(1) = 1d0
    d(n) = 1d0
    du(1) = 0d0
    dl(n-1) = 0d0
    do i = 2, n - 1
      dl(i-1) = -0.5d0*(k(i-1) + k(i))
      du(i) = -0.5d0*(k(i) + k(i+1))
      d(i) = 1d0 - dl(i-1) - du(i)
    end do
  end subroutine
end subroutine
