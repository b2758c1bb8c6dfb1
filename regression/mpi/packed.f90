! Reals of both kinds, complex numbers and integers in one packed buffer; unpacked in another procedure, with a module's buffer.
! head: m::f(y)/(x)
! size: n=3
! processes: 1 3
module m
  use mpi
  implicit none
  character, allocatable :: box(:)
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: me, np, ierr, to, from, pos, size, bytes, k, st(mpi_status_size), q
    real(8) :: a(n), b(2*n)
    real(4) :: s(n)
    complex(8) :: z(2)
    character :: out(400)
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    to = modulo(me + 1, np)
    from = modulo(me - 1, np)
    if (allocated(box)) deallocate(box)
    allocate(box(400))
    call mpi_pack_size(n, mpi_double_precision, mpi_comm_world, size, ierr)
    a = x*x
    s = real(sin(x), 4)
    z = cmplx(x(1), x(n)*x(1), 8)
    z(2) = z(2)**2
    b = 1
    b(1::2) = x**3
    pos = 0
    call mpi_pack(me + 3, 1, mpi_integer, out, 400, pos, mpi_comm_world, ierr)
    call mpi_pack(a, n, mpi_double_precision, out, 400, pos, mpi_comm_world, ierr)
    call mpi_pack(s, n, mpi_real, out, 400, pos, mpi_comm_world, ierr)
    call mpi_pack([4, 5], 2, mpi_integer, out, 400, pos, mpi_comm_world, ierr)
    call mpi_pack(z, 2, mpi_double_complex, out, 400, pos, mpi_comm_world, ierr)
    do k = 1, n
      call mpi_pack(b(2*k - 1), 1, mpi_double_precision, out, 400, pos, mpi_comm_world, ierr)
    end do
    call mpi_isend(out, pos, mpi_packed, to, 7, mpi_comm_world, q, ierr)
    call mpi_recv(box, 400, mpi_packed, from, 7, mpi_comm_world, st, ierr)
    call mpi_get_count(st, mpi_packed, bytes, ierr)
    call mpi_wait(q, mpi_status_ignore, ierr)
    call open_box(n, bytes, y)
    y = y*x
  end subroutine
  subroutine open_box(n, bytes, y)
    integer, intent(in) :: n, bytes
    real(8), intent(out) :: y(n)
    integer :: pos, rank, two(2), k, ierr
    real(8) :: a(n), b
    real(4) :: s(n)
    complex(8) :: z(2)
    pos = 0
    call mpi_unpack(box, bytes, pos, rank, 1, mpi_integer, mpi_comm_world, ierr)
    call mpi_unpack(box, bytes, pos, a, n, mpi_double_precision, mpi_comm_world, ierr)
    call mpi_unpack(box, bytes, pos, s, n, mpi_real, mpi_comm_world, ierr)
    call mpi_unpack(box, bytes, pos, two, 2, mpi_integer, mpi_comm_world, ierr)
    call mpi_unpack(box, bytes, pos, z, 2, mpi_double_complex, mpi_comm_world, ierr)
    y = a*rank + s**2*two(1) + real(z(1)*z(2))
    do k = 1, n
      call mpi_unpack(box, bytes, pos, b, 1, mpi_double_precision, mpi_comm_world, ierr)
      y(k) = y(k) + b*two(2)
    end do
  end subroutine
end module
