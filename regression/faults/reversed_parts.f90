! The reversed section is evaluated before any part is assigned: 5 4 3 2.
! flang 22.1.8 at -O1, -O2 and -O3 prints 5 4 5 6.
program reversed_parts
  implicit none
  complex(8) :: w(4)
  integer :: n
  read *, n ! 4
  w = [(1d0, 1d0), (2d0, 2d0), (3d0, 3d0), (4d0, 4d0)]
  w%im = w(n:1:-1)%im + 1
  print *, w%im
end program reversed_parts
