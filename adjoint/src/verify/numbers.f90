! Random numbers, and sizes of vectors.
module costate_check_numbers
  use, intrinsic :: iso_fortran_env, only: int64
  use, intrinsic :: ieee_arithmetic, only: ieee_is_finite
  implicit none
  private
  public :: wk_, seed, start_numbers, draw, signed, pick, difference, rms, natural, same, deviation
  public :: move_to, sized, given, drawn, drawn_among, holds, start, bare, shift

  integer, parameter :: wk_ = 8
  integer(int64), parameter :: modulus = 2147483647_int64
  integer(int64) :: seed, state
  ! What is added to the seed for the numbers of a rank of MPI, and the state without that: conditions are the same on all
  ! ranks, for those that take other ways wait for each other.
  integer(int64) :: shift = 0, shared_state
  ! At what point values are given: smaller sizes, and numbers of both signs.
  logical :: smaller = .false., both_signs = .false., mixed = .false., further = .false.
  ! How much less sizes are that the user gives.
  integer :: fewer = 0
  ! Whether components that are no inputs have no memory yet, and where arrays start.
  logical :: bare = .false.
  integer :: start = 1

contains

  ! Random numbers of our own: the same with every compiler.
  subroutine start_numbers(stream)
    integer, intent(in) :: stream
    real(wk_) :: skipped
    integer :: i
    state = first_of(seed + shift)
    shared_state = state
    if (shift /= 0) shared_state = first_of(seed)
    do i = 1, 8
      skipped = draw(0.0_wk_, 1.0_wk_)
    end do
    if (skipped > 2) state = 1

  contains

    ! Squares keep streams apart: with steps that are linear, numbers of streams in a row would be in a row too.
    integer(int64) function first_of(seed) result(state)
      integer(int64), intent(in) :: seed
      state = mod(seed, modulus - 1) + 1
      do i = 1, 6
        state = mod(mod(state * state, modulus) + 7919_int64 * int(stream, int64) + int(i, int64), modulus - 1) + 1
      end do
    end function first_of

  end subroutine start_numbers

  real(wk_) function draw(lo, hi)
    real(wk_), intent(in) :: lo, hi
    state = mod(state * 16807_int64, modulus)
    shared_state = mod(shared_state * 16807_int64, modulus)
    draw = lo + (hi - lo) * (real(state, wk_) / real(modulus, wk_))
  end function draw

  ! Goes to a point by its name.
  subroutine move_to(point)
    character(len=*), intent(in) :: point
    mixed = point == 'mixed'
    further = point == 'further'
    both_signs = mixed .or. further .or. point == 'signed'
    smaller = point == 'signed' .or. point == 'smaller'
    fewer = merge(1, 0, mixed) + merge(2, 0, point == 'smaller')
    bare = point == 'bare'
    start = merge(0, 1, point == 'shifted')
    if (point == 'signed') seed = seed + 1
    if (point == 'smaller') seed = seed + 2
    if (mixed) seed = seed + 3
    if (bare) seed = seed + 4
    if (point == 'shifted') seed = seed + 5
    if (further) seed = 3*seed + 7919
  end subroutine move_to

  ! A size at the point. Sizes of three and less, and what is left of a power of two, have cases of their own.
  integer function sized(asked)
    integer, intent(in) :: asked
    sized = asked
    if (smaller .and. asked > 3) sized = asked / 2 + 1
  end function sized

  ! A size that the user gives. What is left of a small one has cases of its own.
  integer function given(asked)
    integer, intent(in) :: asked
    given = asked
    if (fewer > 0 .and. asked > 2 + fewer) given = asked - fewer
  end function given

  ! The number of a variable that none is given for.
  real(wk_) function drawn()
    drawn = draw(0.2_wk_, 0.9_wk_)
    if (both_signs) drawn = sign(drawn, draw(-1.0_wk_, 1.0_wk_))
  end function drawn

  ! An integer from one to another.
  integer function drawn_among(least, most)
    integer, intent(in) :: least, most
    drawn_among = least + min(int(draw(0.0_wk_, real(most - least + 1, wk_))), most - least)
  end function drawn_among

  ! Whether a condition holds that nothing is said of.
  logical function holds()
    real(wk_) :: skipped
    holds = further .or. .not. both_signs
    if (.not. mixed) return
    skipped = draw(0.0_wk_, 1.0_wk_)
    holds = real(shared_state, wk_) / real(modulus, wk_) < 0.5_wk_
  end function holds

  ! In -1 to -0.3 or 0.3 to 1: no direction leaves an element out.
  real(wk_) function signed()
    signed = draw(-0.7_wk_, 0.7_wk_)
    signed = signed + sign(0.3_wk_, signed)
  end function signed

  ! The part of a vector that belongs to one group; all of it for group 0.
  subroutine pick(v, first, g, part)
    real(wk_), intent(in) :: v(:)
    integer, intent(in) :: first(:), g
    real(wk_), intent(out) :: part(:)
    part = v
    if (g == 0) return
    part(:first(g) - 1) = 0
    part(first(g + 1):) = 0
  end subroutine pick

  ! The largest difference; NaN counts as huge.
  real(wk_) function difference(a, b)
    real(wk_), intent(in) :: a(:), b(:)
    if (all(ieee_is_finite(a - b))) then
      difference = maxval(abs(a - b))
    else
      difference = huge(difference)
    end if
  end function difference

  real(wk_) function rms(v)
    real(wk_), intent(in) :: v(:)
    rms = 0
    if (size(v) > 0) rms = norm2(v) / sqrt(real(size(v), wk_))
  end function rms

  ! The size of a group's values, 1 where they are all zero.
  real(wk_) function natural(v)
    real(wk_), intent(in) :: v(:)
    natural = rms(v)
    if (.not. natural > tiny(natural)) natural = 1
  end function natural

  ! Whether two vectors hold the same; what is no number is the same as itself.
  logical function same(a, b)
    real(wk_), intent(in) :: a(:), b(:)
    same = size(a) == size(b)
    if (same) same = all(merge(a == b, ieee_is_finite(a) .eqv. ieee_is_finite(b), ieee_is_finite(a) .and. ieee_is_finite(b)))
  end function same

  ! The largest difference of two vectors, relative to the natural size of the second.
  real(wk_) function deviation(a, b)
    real(wk_), intent(in) :: a(:), b(:)
    logical :: numbers(size(b))
    deviation = huge(deviation)
    if (size(a) /= size(b)) return
    numbers = ieee_is_finite(b)
    if (any(ieee_is_finite(a) .neqv. numbers)) return
    deviation = 0
    if (.not. any(numbers)) return
    deviation = maxval(abs(a - b), mask=numbers) / natural(pack(b, numbers))
  end function deviation

end module costate_check_numbers
