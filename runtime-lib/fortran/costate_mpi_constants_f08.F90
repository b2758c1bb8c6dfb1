! As costate_mpi_constants.f90 for the module mpi_f08, whose objects may have addresses of their own. Where the MPI has no such
! module, this is compiled with -DCOSTATE_NO_F08.
subroutine costate_mpi_constants_f08() bind(c, name="costate_mpi_constants_f08")
#ifndef COSTATE_NO_F08
  use, intrinsic :: iso_c_binding, only: c_int
  use mpi_f08, only: mpi_status_ignore, mpi_statuses_ignore, mpi_in_place, mpi_bottom
  implicit none
  interface
    subroutine note_address(what, address) bind(c, name="costate_mpi_note_address")
      import :: c_int
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: address
      !DIR$ IGNORE_TKR address
      integer(c_int), intent(in) :: what
      type(*), dimension(*) :: address
    end subroutine
  end interface
  call note_address(1, mpi_status_ignore)
  call note_address(1, mpi_statuses_ignore)
  call note_address(2, mpi_in_place)
  call note_address(3, mpi_bottom)
#endif
end subroutine
