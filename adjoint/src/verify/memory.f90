! What memory holds that is allocated and not set yet, with the C library of GNU. `other_memory.f90` stands for others.
module costate_check_memory
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  private
  public :: fill_new_memory

  ! mallopt(3): the byte of which the complement is put into what is allocated; none for 0.
  integer(c_int), parameter :: m_perturb = -6

  interface
    integer(c_int) function c_mallopt(param, value) bind(c, name='mallopt')
      import :: c_int
      integer(c_int), value :: param, value
    end function c_mallopt
  end interface

contains

  ! `byte`: what is put there from now on; what the environment says where it is negative.
  subroutine fill_new_memory(byte)
    integer, intent(in) :: byte
    character(len=16) :: text
    integer :: value, status
    integer(c_int) :: unused
    if (byte >= 0) then
      value = 255 - byte
    else
      call get_environment_variable('MALLOC_PERTURB_', text)
      read (text, *, iostat=status) value
      if (status /= 0) value = 0
    end if
    unused = c_mallopt(m_perturb, int(value, c_int))
  end subroutine fill_new_memory

end module costate_check_memory
