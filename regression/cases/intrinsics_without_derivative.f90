! Intrinsic procedures without a derivative, among values that have one: bits, characters, inquiries, subroutines of the
! system. What they give may steer and scale; an output that they define is passive.
! head: m::bits(y)/(x)
! head: m::texts(y)/(x)
! head: m::asks(y)/(x)
! head: m::system_calls(y)/(x)
module m
  use, intrinsic :: ieee_arithmetic, only: ieee_is_nan, ieee_is_finite
  use, intrinsic :: iso_c_binding, only: c_sizeof, c_double
  use, intrinsic :: iso_fortran_env, only: output_unit
  implicit none
  type :: base
    real(8) :: u
  end type
  type, extends(base) :: more
    real(8) :: v
  end type
contains
  subroutine bits(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(30)
    integer :: i, j, k
    i = 5 + nint(3*x(1))
    j = 2
    y(1) = x(1)*iand(i, 3)
    y(2) = x(2)*ior(i, 8)
    y(3) = x(3)*ieor(i, j)
    y(4) = x(4)*not(i)
    y(5) = x(1)*ibset(i, 4)
    y(6) = x(1)*ibclr(i, 0)
    y(7) = x(1)*ibits(i, 1, 2)
    y(8) = x(2)*ishft(i, -1)
    y(9) = x(2)*ishftc(i, 1, 8)
    y(10) = x(2)*shiftl(i, 2)
    y(11) = x(2)*shiftr(i, 1)
    y(12) = x(2)*shifta(-i, 1)
    y(13) = x(3)*popcnt(i)
    y(14) = x(3)*poppar(i)
    y(15) = x(3)*leadz(i)
    y(16) = x(3)*trailz(i)
    y(17) = x(4)*merge_bits(i, j, 3)
    y(18) = x(4)*mod(maskl(3), 7)
    y(19) = x(4)*maskr(3)
    y(20) = x(1)*mod(dshiftl(i, j, 3), 11)
    y(21) = x(1)*mod(dshiftr(i, j, 3), 11)
    y(22) = x(1)*bit_size(i)
    y(23:26) = x
    if (btest(i, 0)) y(23) = x(1)**2
    if (bge(i, j) .and. .not. blt(i, j)) y(24) = x(2)**3
    if (bgt(i, j)) y(25) = sin(x(3))
    if (ble(i, 100)) y(26) = cos(x(4))
    k = 0
    call mvbits(i, 0, 2, k, 1)
    y(27) = x(1)*k
    y(28) = x(1)*iabs(-k)
    y(29) = x(2)*abs(-i)*mod(i, 3)*modulo(-i, 3)
    y(30) = x(3)*isign(2, -i)*sign(3, -j)*dim(i, j)*max(i, j)*min(i, j)*i**2
  end subroutine bits
  subroutine texts(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(18)
    character(8) :: s
    character(:), allocatable :: t
    integer :: i
    s = 'ab c'
    y = [x, x, x, x, x(1:2)]
    t = trim(s)//repeat('xy', 2)
    y(1) = x(1)*len(t)
    y(2) = x(2)*len_trim(s)
    y(3) = x(3)*index(t, 'xy', back=.true.)
    y(4) = x(4)*scan(t, 'cx')
    y(5) = x(1)*verify(t, 'ab')
    y(6) = x(2)*ichar(s(1:1))*0.01d0
    y(7) = x(3)*iachar('b')*0.01d0
    if (char(97) == s(1:1)) y(8) = x(1)**2
    if (achar(98) == s(2:2)) y(9) = x(2)**2
    if (adjustl('  q') == 'q') y(10) = x(3)**2
    if (adjustr('q  ') == '  q') y(11) = x(4)**2
    if (lgt('b', 'a') .and. lge('b', 'b')) y(12) = exp(x(1))
    if (llt('a', 'b') .and. lle('b', 'b')) y(13) = exp(x(2))
    if (new_line('a') /= 'a') y(14) = exp(x(3))
    write (s, '(i4)') 12
    read (s, *) i
    y(15) = x(4)*i
    y(16) = x(1)*selected_char_kind('DEFAULT')
    y(17) = x(1)*merge(2, 3, s == '  12')
    y(18) = x(2)*(selected_int_kind(9) + selected_real_kind(12, 100))
  end subroutine texts
  subroutine asks(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(16)
    class(base), allocatable :: o
    real(8), allocatable :: a(:)
    real(8), target :: t(4)
    real(8), pointer :: p(:)
    t = x*2d0
    p => t(1:4:2)
    y = [x, x, x, x]
    if (associated(p)) y(1) = p(2)*x(1)
    if (.not. associated(p, t)) y(2) = p(1)**2
    if (.not. is_contiguous(p)) y(3) = x(3)*p(2)
    allocate (a(3:5), source=x(1:3)**2)
    if (allocated(a)) y(4) = a(lbound(a, 1))*a(ubound(a, 1))
    y(5) = x(1)*storage_size(x)*0.01d0
    y(6) = x(2)*sizeof(x)*0.1d0
    y(7) = x(3)*c_sizeof(1.0_c_double)
    y(8) = x(4)*kind(x)*digits(x)
    y(9) = x(1)*maxexponent(x)*1d-3 + minexponent(x)*x(2)*1d-3
    y(10) = x(2)*precision(x)*range(x)*radix(x)*1d-2
    y(11) = x(3)*(epsilon(x) + 1d0) + tiny(x)*x(2)
    if (x(1) < huge(x)) y(12) = x(1)*x(2)
    if (.not. ieee_is_nan(x(3)) .and. ieee_is_finite(x(3))) y(13) = x(3)**3
    if (.not. isnan(x(4))) y(14) = x(4)**3
    y(15) = x(1)*size(shape(x))*rank(x)
    y(16) = more_of(more(x(1), x(2)), base(x(3)))
  end subroutine asks
  function more_of(o, b) result(r)
    class(base), intent(in) :: o, b
    real(8) :: r
    r = o%u
    if (extends_type_of(o, b)) r = r*b%u
    if (same_type_as(o, b)) r = r + 1d0
  end function more_of
  subroutine system_calls(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(12)
    integer :: n, rate, most, stat, values(8)
    character(64) :: s
    character(10) :: date, time, zone
    real(8) :: t, h(2)
    real(8), allocatable :: a(:), b(:)
    call cpu_time(t)
    call system_clock(n, rate, most)
    call date_and_time(date, time, zone, values)
    call get_command(s)
    call get_command_argument(0, s, length=n, status=stat)
    call get_environment_variable('HOME', s, status=stat, trim_name=.true.)
    n = command_argument_count()
    call random_seed()
    call random_init(.true., .true.)
    call random_number(h)
    h = 0d0
    call system("true")
    call execute_command_line('true', wait=.true., exitstat=stat)
    flush (output_unit)
    y = [x*x, x, sin(x)]
    allocate (a(3), source=x(1:3)**2)
    call move_alloc(from=a, to=b)
    y(1) = y(1)*b(2)*size(b) + merge(0d0, 1d0, allocated(a))
    y(2) = y(2) + h(1)
    if (is_iostat_end(0) .or. is_iostat_eor(0)) y(3) = 0d0
    if (stat > 1000000) call abort()
    if (stat > 1000000) call exit(3)
  end subroutine system_calls
end module m
