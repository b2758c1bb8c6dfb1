! Tapes for values of 16-byte kinds, for compilers that have them. Use it together with costate_rt:
!
!     use costate_rt
!     use costate_rt_quad
module costate_rt_quad
  use, intrinsic :: iso_fortran_env, only: int64, real128
  use costate_rt, only: costate_pop, costate_push, costate_tape
  implicit none
  private
  public :: costate_push, costate_pop

! generated: interface

  interface costate_push
    module procedure :: push_r16_0
    module procedure :: push_c16_0
  end interface costate_push

  interface costate_pop
    module procedure :: pop_r16_0
    module procedure :: pop_c16_0
  end interface costate_pop

! generated: end

contains

! generated: procedures

  pure subroutine push_r16_0(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real128), intent(in) :: v
    integer(int64) :: words(2)

    words = transfer(v, words)
    call costate_push(tape, words)
  end subroutine push_r16_0

  pure subroutine push_c16_0(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real128), intent(in) :: v
    integer(int64) :: words(4)

    words = transfer(v, words)
    call costate_push(tape, words)
  end subroutine push_c16_0

  pure subroutine pop_r16_0(tape, v)
    type(costate_tape), intent(inout) :: tape
    real(real128), intent(out) :: v
    integer(int64) :: words(2)

    call costate_pop(tape, words)
    v = transfer(words, v)
  end subroutine pop_r16_0

  pure subroutine pop_c16_0(tape, v)
    type(costate_tape), intent(inout) :: tape
    complex(real128), intent(out) :: v
    integer(int64) :: words(4)

    call costate_pop(tape, words)
    v = transfer(words, v)
  end subroutine pop_c16_0

! generated: end

end module costate_rt_quad
