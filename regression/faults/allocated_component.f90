! The second element's component is allocated and given its value: 2.
! gfortran 12.2 at -O0 does not evaluate the subscript before it allocates, and uses an address that nothing set.
program allocated_component
  implicit none
  type :: item
    real(8), allocatable :: q
  end type item
  type(item), allocatable :: list(:)
  integer, allocatable :: old(:)
  allocate(old(1), list(2))
  allocate(list(max(ubound(old, 1) - lbound(old, 1) + 1, 0) + 1)%q)
  list(max(ubound(old, 1) - lbound(old, 1) + 1, 0) + 1)%q = 2
  print *, list(2)%q
end program allocated_component
