! No fault: the standard leaves the order and the number of kinds to the compiler.
! gfortran prints 4 8 10 16, flang 22.1.8 prints 2 3 4 8 10.
program kinds
  use iso_fortran_env, only: real_kinds
  print *, real_kinds
end program kinds
