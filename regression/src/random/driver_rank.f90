! One process alone.
module driver_ranks
  implicit none
  integer, parameter :: rank = 0
contains

  subroutine start_ranks()
  end subroutine start_ranks

  subroutine end_ranks()
  end subroutine end_ranks

  ! The largest number, as wrong as one that is none.
  real(8) function largest(a)
    real(8), intent(in) :: a(:)
    largest = maxval(a)
    if (any(a /= a)) largest = huge(a)
  end function largest

  real(8) function total(a)
    real(8), intent(in) :: a(:)
    total = sum(a)
  end function total

  logical function everywhere(l)
    logical, intent(in) :: l
    everywhere = l
  end function everywhere
end module driver_ranks
