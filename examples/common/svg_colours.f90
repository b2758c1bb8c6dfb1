!> Colour maps.
module svg_colours
  use, intrinsic :: iso_fortran_env, only: dp => real64
  implicit none
  private
  public :: colour_at, blue, grey, orange, green, black

  !> Colours of lines, which readers who are colour-blind can tell apart.
  character(len=7), parameter :: blue = "#0072b2", orange = "#d55e00", green = "#009e73", black = "#333333"
  character(len=7), parameter :: grey = "#9a9a9a"

  !> Dark blue, green, yellow: even in lightness, for values of one sign.
  integer, parameter :: sequential(3, 0:8) = reshape([ &
    68, 1, 84, 71, 44, 122, 59, 81, 139, 44, 113, 142, 33, 144, 141, 39, 173, 129, 92, 200, 99, 170, 220, 50, &
    253, 231, 37], [3, 9])
  !> Blue, white, red: for departures from zero.
  integer, parameter :: diverging(3, 0:8) = reshape([ &
    33, 76, 140, 67, 127, 185, 128, 180, 216, 198, 222, 237, 247, 247, 247, 250, 211, 190, 240, 152, 121, 206, 84, 73, &
    150, 24, 45], [3, 9])

contains

  !> The colour at a fraction of the way through the map "sequential" or "diverging".
  pure function colour_at(map, fraction) result(colour)
    character(len=*), intent(in) :: map
    real(dp), intent(in) :: fraction
    character(len=7) :: colour
    integer :: table(3, 0:8), mixed(3), k
    real(dp) :: place

    table = sequential
    if (map == "diverging") table = diverging
    place = 8 * min(max(fraction, 0.0_dp), 1.0_dp)
    k = min(int(place), 7)
    mixed = nint((1 - (place - k)) * table(:, k) + (place - k) * table(:, k + 1))
    write (colour, "(a,3z2.2)") "#", mixed
  end function colour_at

end module svg_colours
