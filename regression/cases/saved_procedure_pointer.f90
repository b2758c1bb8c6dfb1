! A local procedure pointer that is declared with null(), and so keeps its association from call to call.
! head: m::f(y)/(x)
! size: n=4
module m
  implicit none
contains
  subroutine pack(a, b, k)
    integer, intent(in) :: k
    real(8) :: a(k), b(k)
    b = a*a
  end subroutine
  subroutine unpack(a, b, k)
    integer, intent(in) :: k
    real(8) :: a(k), b(k)
    a = sin(b) + a
  end subroutine
  subroutine all(a, b, k, packing)
    integer, intent(in) :: k
    real(8) :: a(k), b(k)
    logical, intent(in) :: packing
    interface
      subroutine pack_or_unpack(a, b, k)
        integer, intent(in) :: k
        real(8) :: a(k), b(k)
      end subroutine
    end interface
    procedure(pack_or_unpack), pointer :: way => null()
    if (packing .eqv. .true.) then
      select case (k)
      case (0:)
        way => pack
      end select
    else
      way => unpack
    end if
    call way(a, b, k)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: b(n)
    y = x
    call all(y, b, n, .true.)
    call all(y, b, n, .false.)
  end subroutine
end module
