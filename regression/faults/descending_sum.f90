! The sum is 0.9: gfortran 12 at -O3 takes one element twice and another one not at all, and prints 1.2.
program descending_sum
  implicit none
  real(8) :: a(2, 3), s
  integer :: n
  read *, n ! 1
  a = 0
  a(1, 2) = n
  a(2, 2) = 2*n
  s = 0
  call add(a, s)
  print *, s
contains
  subroutine add(a, s)
    real(8), intent(inout) :: a(2, 3), s
    integer :: i, j
    do j = 3, 1, -1
      do i = 2, 1, -1
        s = s + 0.3d0*a(i, j)
        a(i, j) = 0
      end do
    end do
  end subroutine add
end program descending_sum
