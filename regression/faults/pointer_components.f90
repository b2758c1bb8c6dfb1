! The right side is evaluated before any element is assigned: 6 4 2.
! gfortran 12 prints 6 4 12 at every level.
program pointer_components
  implicit none
  type box
    real(8), pointer :: d(:)
  end type box
  real(8), target :: memory(3)
  type(box) :: a, b
  memory = [1, 2, 3]
  a%d => memory
  b%d => memory(3:1:-1)
  a%d = b%d*2
  print *, memory
end program pointer_components
