! Comparison of values that an adjoint computes or restores with what they were first.
!
!     use costate_rt, only: costate_note, costate_compare
!     integer(int64) :: sum
!     call costate_note(sum, v)
!     ...
!     call costate_compare('procedure', 'v', v, sum)
!
! Without COSTATE_VERIFY=1 nothing is computed and nothing compared. An array that isn't allocated and an argument that
! isn't present are left out.
module costate_rt_verify
  use, intrinsic :: iso_c_binding, only: c_char, c_int64_t
  use, intrinsic :: iso_fortran_env, only: int64
  implicit none
  private
  public :: costate_note, costate_compare

  interface
    pure subroutine costate_rt_note(sum, v, elements) bind(c)
      import :: c_int64_t
      integer(c_int64_t), intent(out) :: sum
      type(*), contiguous, intent(in) :: v(..)
      integer(c_int64_t), value :: elements
    end subroutine costate_rt_note

    pure subroutine costate_rt_compare(place, place_length, name, name_length, v, elements, sum) bind(c)
      import :: c_char, c_int64_t
      character(kind=c_char), intent(in) :: place(*), name(*)
      integer(c_int64_t), value :: place_length, name_length
      type(*), contiguous, intent(in) :: v(..)
      integer(c_int64_t), value :: elements
      integer(c_int64_t), intent(in) :: sum
    end subroutine costate_rt_compare
  end interface

contains

  ! The checksum of a variable.
  pure subroutine costate_note(sum, v)
    integer(int64), intent(out) :: sum
    type(*), contiguous, optional, intent(in) :: v(..)

    sum = 0
    if (present(v)) call costate_rt_note(sum, v, size(v, kind=c_int64_t))
  end subroutine costate_note

  ! Ends the program unless the variable `name` of a procedure is, to the last bit, what it was when `sum` was noted.
  pure subroutine costate_compare(place, name, v, sum)
    character(len=*), intent(in) :: place, name
    type(*), contiguous, optional, intent(in) :: v(..)
    integer(int64), intent(in) :: sum

    if (.not. present(v)) return
    call costate_rt_compare(place, len(place, c_int64_t), name, len(name, c_int64_t), v, size(v, kind=c_int64_t), sum)
  end subroutine costate_compare

end module costate_rt_verify
