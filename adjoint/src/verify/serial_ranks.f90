! One process: what it has is all. `ranks.f90` has the same for the processes of MPI.
module costate_check_ranks
  use, intrinsic :: ieee_exceptions, only: ieee_divide_by_zero, ieee_invalid, ieee_overflow, ieee_set_flag, &
      ieee_set_halting_mode
  use costate_check_head
  use costate_check_memory, only: fill_new_memory
  implicit none

contains

  subroutine start_ranks()
  end subroutine start_ranks

  subroutine serve()
  end subroutine serve

  subroutine end_ranks()
  end subroutine end_ranks

  ! Processes of their own start anew.
  subroutine renew()
  end subroutine renew

  subroutine write_shares()
  end subroutine write_shares

  ! Operations that give no number stop the process; `strictly`: those that leave the range of numbers too.
  subroutine lay_traps(strictly)
    logical, intent(in) :: strictly
    call set_traps(.true.)
    if (.not. strictly) return
    call ieee_set_halting_mode(ieee_overflow, .true.)
    call ieee_set_halting_mode(ieee_divide_by_zero, .true.)
  end subroutine lay_traps

  ! Whether there were such operations: none in a process that goes on.
  logical function traps_caught(strictly)
    logical, intent(in) :: strictly
    traps_caught = strictly .and. .false.
  end function traps_caught

  subroutine set_traps(on)
    logical, intent(in) :: on
    if (on) call ieee_set_flag(ieee_invalid, .false.)
    call ieee_set_halting_mode(ieee_invalid, on)
  end subroutine set_traps

end module costate_check_ranks
