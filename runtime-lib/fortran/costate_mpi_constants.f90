! Tells the library what only MPI's Fortran interface knows. Compiled with the MPI's compiler into libcostate_rt_mpi.a; the
! numbers are those of src/mpi/constants.rs.
subroutine costate_mpi_constants() bind(c, name="costate_mpi_constants")
  use, intrinsic :: iso_c_binding, only: c_int
  use mpi
  implicit none
  interface
    subroutine note_address(what, address) bind(c, name="costate_mpi_note_address")
      import :: c_int
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: address
      !DIR$ IGNORE_TKR address
      integer(c_int), intent(in) :: what
      type(*), dimension(*) :: address
    end subroutine
    subroutine note_value(what, value) bind(c, name="costate_mpi_note_value")
      import :: c_int
      integer(c_int), intent(in) :: what, value
    end subroutine
  end interface
  integer :: failure
  integer(mpi_address_kind) :: bound
  logical :: known
  call note_address(1, mpi_status_ignore)
  call note_address(1, mpi_statuses_ignore)
  call note_address(2, mpi_in_place)
  call note_address(3, mpi_bottom)
  call note_value(1, mpi_status_size)
  call note_value(2, mpi_combiner_named)
  call note_value(3, mpi_combiner_f90_real)
  call note_value(4, mpi_combiner_f90_complex)
  bound = 32767
  call mpi_comm_get_attr(mpi_comm_world, mpi_tag_ub, bound, known, failure)
  call note_value(5, int(min(bound, int(huge(1_c_int), mpi_address_kind)), c_int))
  call note_value(10, mpi_real)
  call note_value(10, mpi_double_precision)
  call note_value(10, mpi_real4)
  call note_value(10, mpi_real8)
  call note_value(11, mpi_complex)
  call note_value(11, mpi_double_complex)
  call note_value(11, mpi_complex8)
  call note_value(11, mpi_complex16)
  call note_value(12, mpi_2real)
  call note_value(12, mpi_2double_precision)
  call note_value(13, mpi_integer)
  call note_value(13, mpi_logical)
  call note_value(13, mpi_integer1)
  call note_value(13, mpi_integer2)
  call note_value(13, mpi_integer4)
  call note_value(13, mpi_integer8)
  call note_value(13, mpi_character)
  call note_value(20, mpi_sum)
  call note_value(21, mpi_max)
  call note_value(22, mpi_min)
  call note_value(23, mpi_prod)
  call note_value(24, mpi_maxloc)
  call note_value(25, mpi_minloc)
  call note_value(30, mpi_combiner_dup)
  call note_value(31, mpi_combiner_resized)
  call note_value(32, mpi_combiner_contiguous)
  call note_value(33, mpi_combiner_vector)
  call note_value(34, mpi_combiner_hvector)
  call note_value(35, mpi_combiner_indexed)
  call note_value(36, mpi_combiner_hindexed)
  call note_value(37, mpi_combiner_indexed_block)
  call note_value(38, mpi_combiner_hindexed_block)
  call note_value(39, mpi_combiner_struct)
  call note_value(40, mpi_combiner_subarray)
end subroutine
