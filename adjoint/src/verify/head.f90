! What a driver says of a head, and the procedures that touch its variables: a submodule has them.
module costate_check_head
  use, intrinsic :: iso_fortran_env, only: int64
  use costate_check_numbers
  use costate_check_processes
  implicit none

  ! Numbers of inputs and of outputs.
  integer :: nx, ny
  ! Number of variables that aren't outputs and are compared as well.
  integer :: no
  ! Seconds that everything may take.
  integer :: time_limit
  ! Whether an output is no input, and an output given by the adjoint as well.
  logical, allocatable :: pure_output(:), returned(:)
  ! Whether a group is an input or an output, not both.
  logical, allocatable :: input_alone(:), output_alone(:)
  ! Whether the adjoint leaves everything as the primal does.
  logical :: keeps_primal
  ! How exactly the outputs can be known, that of all together first.
  real(wk_), allocatable :: unit_roundoff(:), input_roundoff(:)
  integer :: out
  character(len=4096) :: path

  interface
    ! Sets what is above, and calls the user's procedures that set modules up.
    module subroutine describe_head()
    end subroutine describe_head
    ! Gives every variable its value on entry.
    module subroutine set_up_head()
    end subroutine set_up_head
    module subroutine shape_tangent()
    end subroutine shape_tangent
    module subroutine shape_adjoint()
    end subroutine shape_adjoint
    module subroutine call_primal()
    end subroutine call_primal
    module subroutine call_tangent()
    end subroutine call_tangent
    module subroutine call_adjoint()
    end subroutine call_adjoint
    module subroutine get_x(v, first)
      real(wk_), intent(inout) :: v(:)
      integer, intent(inout) :: first(:)
    end subroutine get_x
    module subroutine get_xb(v, first)
      real(wk_), intent(inout) :: v(:)
      integer, intent(inout) :: first(:)
    end subroutine get_xb
    module subroutine get_y(v, first)
      real(wk_), intent(inout) :: v(:)
      integer, intent(inout) :: first(:)
    end subroutine get_y
    module subroutine get_yb(v, first)
      real(wk_), intent(inout) :: v(:)
      integer, intent(inout) :: first(:)
    end subroutine get_yb
    module subroutine get_yd(v, first)
      real(wk_), intent(inout) :: v(:)
      integer, intent(inout) :: first(:)
    end subroutine get_yd
    module subroutine get_o(v, first)
      real(wk_), intent(inout) :: v(:)
      integer, intent(inout) :: first(:)
    end subroutine get_o
    module subroutine put_y(v)
      real(wk_), intent(in) :: v(:)
    end subroutine put_y
    module subroutine put_x(v)
      real(wk_), intent(in) :: v(:)
    end subroutine put_x
    module subroutine put_xb(v)
      real(wk_), intent(in) :: v(:)
    end subroutine put_xb
    module subroutine put_xd(v)
      real(wk_), intent(in) :: v(:)
    end subroutine put_xd
    module subroutine put_yd(v)
      real(wk_), intent(in) :: v(:)
    end subroutine put_yd
    module subroutine put_yb(v)
      real(wk_), intent(in) :: v(:)
    end subroutine put_yb
    module subroutine get_shapes(v, count)
      integer, intent(inout) :: v(:)
      integer, intent(out) :: count
    end subroutine get_shapes
    module subroutine put_shapes(v)
      integer, intent(in) :: v(:)
    end subroutine put_shapes
    ! What modules hold before the first run, and have again before each: drivers for MPI have these two.
    module subroutine keep_state()
    end subroutine keep_state
    module subroutine restore_state()
    end subroutine restore_state
  end interface

contains

  ! A process that doesn't lead has no open file: it adds to what the leading one has written.
  subroutine give_up(text)
    character(len=*), intent(in) :: text
    if (.not. leads) open (newunit=out, file=trim(path), position='append', action='write')
    write (out, '(2a)') 'gave-up ', text
    close (out)
    call abandon()
  end subroutine give_up

end module costate_check_head
