! Where nothing can be said of what memory holds; otherwise as `memory.f90`.
module costate_check_memory
  implicit none
  private
  public :: fill_new_memory

contains

  subroutine fill_new_memory(byte)
    integer, intent(in) :: byte
    if (byte > 255) error stop 'no byte'
  end subroutine fill_new_memory

end module costate_check_memory
