! The mask of `do concurrent` is evaluated for all indices before the first iteration (Fortran 2018, 11.1.7.4.2).
! flang 22 evaluates it before each iteration, after those before: it prints 1.0 20.0 3.0 20.0, others 1.0 20.0 20.0 20.0.
program concurrent_mask
  implicit none
  real(8) :: y(4)
  integer :: i
  y = [1.0d0, 2.0d0, 3.0d0, 4.0d0]
  do concurrent (i = 2:4, y(i - 1) < 10.0d0)
    y(i) = 20.0d0
  end do
  print '(4f6.1)', y
end program concurrent_mask
