program main
  use carried_arguments, only: f
  implicit none
  real(8) :: y(6)
  y = 1
  call f(6, y)
  print *, y
end program main
