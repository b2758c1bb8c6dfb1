!> Plots as SVG files: lines, points and filled fields in axes with ticks, labels, legends and colour bars.
!>
!> A figure has a list of axes, made one after the other; everything drawn goes to the axes made last.
module svg_plot
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use svg_colours, only: colour_at, grey
  implicit none
  private
  public :: svg_figure

  character(len=*), parameter :: dark = "#333333", light = "#e4e4e4"
  !> Text height in pixels, of ticks and labels and of titles.
  integer, parameter :: text_size = 13, title_size = 15
  !> Colours in a field. An odd number, so that zero is in the middle of one.
  integer, parameter :: levels = 49

  type :: legend_entry
    character(len=80) :: label = ""
    character(len=7) :: colour = ""
    character(len=16) :: dash = ""
    logical :: is_line = .true.
  end type legend_entry

  type :: svg_figure
    private
    integer :: unit = 0, axes_count = 0, entry_count = 0
    real(dp) :: left = 0, top = 0, width = 0, height = 0
    real(dp) :: x_range(2) = 0, y_range(2) = 0
    logical :: log_y = .false.
    type(legend_entry) :: entries(8)
  contains
    procedure :: open => open_figure
    procedure :: close => close_figure
    procedure :: axes => make_axes
    procedure :: line => draw_line
    procedure :: points => draw_points
    procedure :: field => draw_field
    procedure :: colour_bar => draw_colour_bar
    procedure :: legend => draw_legend
    procedure, private :: text => draw_text
    procedure, private :: x_ticks => draw_x_ticks
    procedure, private :: y_ticks => draw_y_ticks
    procedure, private :: remember
    procedure, private :: px
    procedure, private :: py
  end type svg_figure

contains

  subroutine open_figure(self, file, width, height, title)
    class(svg_figure), intent(inout) :: self
    character(len=*), intent(in) :: file, title
    integer, intent(in) :: width, height

    open (newunit=self%unit, file=file, status="replace", action="write")
    write (self%unit, "(a,i0,a,i0,a,i0,1x,i0,a)") '<svg xmlns="http://www.w3.org/2000/svg" width="', width, &
      '" height="', height, '" viewBox="0 0 ', width, height, &
      '" font-family="Helvetica, Arial, DejaVu Sans, sans-serif">'
    write (self%unit, "(a)") '<rect width="100%" height="100%" fill="white"/>'
    call self%text(0.5_dp * width, 30.0_dp, title, "middle", title_size + 3, bold=.true.)
  end subroutine open_figure

  subroutine close_figure(self)
    class(svg_figure), intent(inout) :: self

    write (self%unit, "(a)") "</svg>"
    close (self%unit)
  end subroutine close_figure

  !> Starts axes whose drawing area has its upper left corner at (left, top).
  subroutine make_axes(self, left, top, width, height, x_range, y_range, title, x_label, y_label, log_y)
    class(svg_figure), intent(inout) :: self
    integer, intent(in) :: left, top, width, height
    real(dp), intent(in) :: x_range(2), y_range(2)
    character(len=*), intent(in) :: title, x_label, y_label
    logical, intent(in), optional :: log_y

    self%axes_count = self%axes_count + 1
    self%entry_count = 0
    self%left = left
    self%top = top
    self%width = width
    self%height = height
    self%x_range = x_range
    self%y_range = y_range
    self%log_y = .false.
    if (present(log_y)) self%log_y = log_y
    if (self%log_y) self%y_range = log10(y_range)

    write (self%unit, "(a,i0,a)") '<clipPath id="axes', self%axes_count, '"><rect ' // box(self) // "/></clipPath>"
    call self%x_ticks()
    call self%y_ticks()
    write (self%unit, "(a)") "<rect " // box(self) // ' fill="none" stroke="' // dark // '"/>'
    call self%text(left + 0.5_dp * width, top - 10.0_dp, title, "middle", title_size)
    call self%text(left + 0.5_dp * width, top + height + 40.0_dp, x_label, "middle", text_size)
    call self%text(left - 52.0_dp, top + 0.5_dp * height, y_label, "middle", text_size, turned=.true.)
  end subroutine make_axes

  !> A line through the points; `dash` is a pattern as in SVG, such as "6 4".
  subroutine draw_line(self, x, y, colour, label, dash, width)
    class(svg_figure), intent(inout) :: self
    real(dp), intent(in) :: x(:), y(:)
    character(len=*), intent(in) :: colour
    character(len=*), intent(in), optional :: label, dash
    real(dp), intent(in), optional :: width
    character(len=:), allocatable :: style
    integer :: i

    style = ' fill="none" stroke-linejoin="round" stroke="' // colour // '" stroke-width="'
    if (present(width)) then
      style = style // number(width) // '"'
    else
      style = style // '2"'
    end if
    if (present(dash)) style = style // ' stroke-dasharray="' // dash // '"'
    write (self%unit, "(a,i0,a)") '<polyline clip-path="url(#axes', self%axes_count, ')"' // style // ' points="'
    write (self%unit, "(a)") (number(self%px(x(i))) // "," // number(self%py(y(i))), i=1, size(x))
    write (self%unit, "(a)") '"/>'
    if (present(label)) call self%remember(label, colour, dash, .true.)
  end subroutine draw_line

  subroutine draw_points(self, x, y, colour, label, radius)
    class(svg_figure), intent(inout) :: self
    real(dp), intent(in) :: x(:), y(:)
    character(len=*), intent(in) :: colour
    character(len=*), intent(in), optional :: label
    real(dp), intent(in), optional :: radius
    real(dp) :: r
    integer :: i

    r = 3
    if (present(radius)) r = radius
    write (self%unit, "(a,i0,a)") '<g clip-path="url(#axes', self%axes_count, ')" fill="' // colour &
      // '" fill-opacity="0.75">'
    write (self%unit, "(a)") ('<circle cx="' // number(self%px(x(i))) // '" cy="' // number(self%py(y(i))) &
      // '" r="' // number(r) // '"/>', i=1, size(x))
    write (self%unit, "(a)") "</g>"
    if (present(label)) call self%remember(label, colour, is_line=.false.)
  end subroutine draw_points

  !> Fills the axes with the colours of cell values; cells outside `mask` are grey.
  subroutine draw_field(self, values, value_range, map, mask)
    class(svg_figure), intent(inout) :: self
    real(dp), intent(in) :: values(:, :), value_range(2)
    character(len=*), intent(in) :: map
    logical, intent(in), optional :: mask(:, :)
    integer, parameter :: fine = 2
    logical :: valid(size(values, 1), size(values, 2))
    integer, allocatable :: level(:, :)
    real(dp) :: x, y
    integer :: i, j, nx, ny

    nx = size(values, 1)
    ny = size(values, 2)
    valid = .true.
    if (present(mask)) valid = mask
    allocate (level(fine * nx, fine * ny))
    do j = 1, fine * ny
      do i = 1, fine * nx
        ! The place of the fine cell's centre, in units of cells, the first of which is centred at 1.
        x = (i - 0.5_dp) / fine + 0.5_dp
        y = (j - 0.5_dp) / fine + 0.5_dp
        if (valid(nint(x), nint(y))) then
          level(i, j) = level_of((interpolated(values, valid, x, y) - value_range(1)) / (value_range(2) - value_range(1)))
        else
          level(i, j) = 0
        end if
      end do
    end do
    call fill_levels(self, level, map)
    write (self%unit, "(a)") "<rect " // box(self) // ' fill="none" stroke="' // dark // '"/>'
  end subroutine draw_field

  !> Draws the cells of each level as one path, neighbours in a row joined.
  subroutine fill_levels(self, level, map)
    class(svg_figure), intent(inout) :: self
    integer, intent(in) :: level(:, :)
    character(len=*), intent(in) :: map
    character(len=7) :: colour
    real(dp) :: dx, dy
    integer :: i, j, k, last

    dx = self%width / size(level, 1)
    dy = self%height / size(level, 2)
    do k = minval(level), maxval(level)
      colour = grey
      if (k > 0) colour = colour_at(map, (k - 0.5_dp) / levels)
      write (self%unit, "(a)") '<path shape-rendering="crispEdges" fill="' // colour // '" d="'
      do j = 1, size(level, 2)
        i = 1
        do while (i <= size(level, 1))
          last = i
          do while (last < size(level, 1))
            if (level(last + 1, j) /= level(i, j)) exit
            last = last + 1
          end do
          if (level(i, j) == k) write (self%unit, "(a)") "M" // number(self%left + (i - 1) * dx) // " " &
            // number(self%top + self%height - j * dy) // "h" // number((last - i + 1) * dx) // "v" // number(dy) &
            // "h" // number(-(last - i + 1) * dx) // "z"
          i = last + 1
        end do
      end do
      write (self%unit, "(a)") '"/>'
    end do
  end subroutine fill_levels

  !> A colour bar to the right of the axes.
  subroutine draw_colour_bar(self, value_range, map, label)
    class(svg_figure), intent(inout) :: self
    real(dp), intent(in) :: value_range(2)
    character(len=*), intent(in) :: map, label
    real(dp) :: x, step, tick, y
    integer :: k

    x = self%left + self%width + 14
    step = self%height / levels
    do k = 1, levels
      write (self%unit, "(a)") '<rect x="' // number(x) // '" y="' // number(self%top + self%height - k * step) &
        // '" width="14" height="' // number(step + 0.5_dp) // '" fill="' // colour_at(map, (k - 0.5_dp) / levels) // '"/>'
    end do
    write (self%unit, "(a)") '<rect x="' // number(x) // '" y="' // number(self%top) // '" width="14" height="' &
      // number(self%height) // '" fill="none" stroke="' // dark // '"/>'
    step = tick_step(value_range)
    tick = step * ceiling(value_range(1) / step - 1.0e-9_dp)
    do while (tick <= value_range(2) + 1.0e-9_dp * step)
      y = self%top + self%height * (value_range(2) - tick) / (value_range(2) - value_range(1))
      call self%text(x + 20, y + 4, tick_text(tick, step), "start", text_size)
      tick = tick + step
    end do
    call self%text(x + 7, self%top - 10, label, "middle", text_size)
  end subroutine draw_colour_bar

  !> The legend of everything drawn with a label, in the corner named, such as "top right".
  subroutine draw_legend(self, corner)
    class(svg_figure), intent(inout) :: self
    character(len=*), intent(in) :: corner
    real(dp) :: x, y, width
    integer :: k

    width = 52 + 7.0_dp * maxval([(len_trim(self%entries(k)%label), k=1, self%entry_count)])
    x = self%left + 10
    if (index(corner, "right") > 0) x = self%left + self%width - width - 10
    y = self%top + 10
    if (index(corner, "bottom") > 0) y = self%top + self%height - 20 * self%entry_count - 18
    write (self%unit, "(a)") '<rect x="' // number(x) // '" y="' // number(y) // '" width="' // number(width) &
      // '" height="' // number(20.0_dp * self%entry_count + 8) // '" fill="white" fill-opacity="0.85" stroke="' // light // '"/>'
    do k = 1, self%entry_count
      y = y + 20
      associate (entry => self%entries(k))
        if (entry%is_line) then
          write (self%unit, "(a)") '<path d="M' // number(x + 8) // " " // number(y - 6) // 'h26" stroke-width="2" stroke="' &
            // entry%colour // '" stroke-dasharray="' // trim(entry%dash) // '"/>'
        else
          write (self%unit, "(a)") '<circle cx="' // number(x + 21) // '" cy="' // number(y - 6) // '" r="4" fill="' &
            // entry%colour // '"/>'
        end if
        call self%text(x + 42, y - 2, trim(entry%label), "start", text_size)
      end associate
    end do
  end subroutine draw_legend

  subroutine remember(self, label, colour, dash, is_line)
    class(svg_figure), intent(inout) :: self
    character(len=*), intent(in) :: label, colour
    character(len=*), intent(in), optional :: dash
    logical, intent(in) :: is_line

    self%entry_count = min(self%entry_count + 1, size(self%entries))
    self%entries(self%entry_count) = legend_entry(label, colour, "none", is_line)
    if (present(dash)) self%entries(self%entry_count)%dash = dash
  end subroutine remember

  subroutine draw_text(self, x, y, content, anchor, text_height, bold, turned)
    class(svg_figure), intent(inout) :: self
    real(dp), intent(in) :: x, y
    character(len=*), intent(in) :: content, anchor
    integer, intent(in) :: text_height
    logical, intent(in), optional :: bold, turned
    character(len=:), allocatable :: style

    style = ' text-anchor="' // anchor // '" fill="' // dark // '" font-size="' // number(real(text_height, dp)) // '"'
    if (present(bold)) style = style // ' font-weight="bold"'
    if (present(turned)) style = style // ' transform="rotate(-90 ' // number(x) // " " // number(y) // ')"'
    write (self%unit, "(a)") '<text x="' // number(x) // '" y="' // number(y) // '"' // style // ">" // content // "</text>"
  end subroutine draw_text

  subroutine draw_x_ticks(self)
    class(svg_figure), intent(inout) :: self
    real(dp) :: step, tick, x

    step = tick_step(self%x_range)
    tick = step * ceiling(self%x_range(1) / step - 1.0e-9_dp)
    do while (tick <= self%x_range(2) + 1.0e-9_dp * step)
      x = self%px(tick)
      write (self%unit, "(a)") '<path d="M' // number(x) // " " // number(self%top) // "v" // number(self%height) &
        // '" stroke="' // light // '"/><path d="M' // number(x) // " " // number(self%top + self%height) &
        // 'v5" stroke="' // dark // '"/>'
      call self%text(x, self%top + self%height + 20, tick_text(tick, step), "middle", text_size)
      tick = tick + step
    end do
  end subroutine draw_x_ticks

  subroutine draw_y_ticks(self)
    class(svg_figure), intent(inout) :: self
    real(dp) :: step, tick, y

    step = tick_step(self%y_range)
    if (self%log_y) step = max(1, nint(step))
    tick = step * ceiling(self%y_range(1) / step - 1.0e-9_dp)
    do while (tick <= self%y_range(2) + 1.0e-9_dp * step)
      y = self%top + self%height * (self%y_range(2) - tick) / (self%y_range(2) - self%y_range(1))
      write (self%unit, "(a)") '<path d="M' // number(self%left) // " " // number(y) // "h" // number(self%width) &
        // '" stroke="' // light // '"/><path d="M' // number(self%left) // " " // number(y) // 'h-5" stroke="' // dark // '"/>'
      if (self%log_y) then
        call self%text(self%left - 9, y + 5, '10<tspan dy="-5" font-size="10">' // tick_text(tick, 1.0_dp) // "</tspan>", &
          "end", text_size)
      else
        call self%text(self%left - 9, y + 4, tick_text(tick, step), "end", text_size)
      end if
      tick = tick + step
    end do
  end subroutine draw_y_ticks

  !> The frame of the drawing area as SVG attributes.
  function box(self) result(attributes)
    class(svg_figure), intent(in) :: self
    character(len=:), allocatable :: attributes

    attributes = 'x="' // number(self%left) // '" y="' // number(self%top) // '" width="' // number(self%width) &
      // '" height="' // number(self%height) // '"'
  end function box

  pure real(dp) function px(self, x)
    class(svg_figure), intent(in) :: self
    real(dp), intent(in) :: x

    px = self%left + self%width * (x - self%x_range(1)) / (self%x_range(2) - self%x_range(1))
  end function px

  pure real(dp) function py(self, y)
    class(svg_figure), intent(in) :: self
    real(dp), intent(in) :: y
    real(dp) :: place

    place = y
    if (self%log_y) place = log10(max(y, tiny(y)))
    py = self%top + self%height * (self%y_range(2) - place) / (self%y_range(2) - self%y_range(1))
  end function py

  pure integer function level_of(fraction)
    real(dp), intent(in) :: fraction

    level_of = 1 + min(levels - 1, int(levels * min(max(fraction, 0.0_dp), 1.0_dp)))
  end function level_of

  !> Bilinear between cell centres; the nearest value where a cell outside the mask is next to the place.
  pure real(dp) function interpolated(values, valid, x, y)
    real(dp), intent(in) :: values(:, :), x, y
    logical, intent(in) :: valid(:, :)
    real(dp) :: wx, wy
    integer :: i, j

    i = min(max(int(x), 1), size(values, 1) - 1)
    j = min(max(int(y), 1), size(values, 2) - 1)
    if (.not. all(valid(i:i + 1, j:j + 1))) then
      interpolated = values(nint(x), nint(y))
      return
    end if
    wx = min(max(x - i, 0.0_dp), 1.0_dp)
    wy = min(max(y - j, 0.0_dp), 1.0_dp)
    interpolated = (1 - wx) * ((1 - wy) * values(i, j) + wy * values(i, j + 1)) &
      + wx * ((1 - wy) * values(i + 1, j) + wy * values(i + 1, j + 1))
  end function interpolated

  !> A step of 1, 2 or 5 times a power of ten that gives four to eight ticks.
  pure real(dp) function tick_step(value_range)
    real(dp), intent(in) :: value_range(2)
    real(dp) :: rough, power

    rough = (value_range(2) - value_range(1)) / 5
    power = 10.0_dp**floor(log10(rough))
    tick_step = power
    if (rough > 1.5_dp * power) tick_step = 2 * power
    if (rough > 3.5_dp * power) tick_step = 5 * power
    if (rough > 7.5_dp * power) tick_step = 10 * power
  end function tick_step

  !> A tick's value with as many decimals as the step needs and a minus sign of proper width.
  function tick_text(value, step) result(text)
    real(dp), intent(in) :: value, step
    character(len=:), allocatable :: text
    character(len=32) :: buffer
    integer :: decimals

    decimals = max(0, ceiling(-log10(step) - 1.0e-9_dp))
    if (decimals == 0) then
      write (buffer, "(i0)") abs(nint(value))
    else
      write (buffer, "(f20." // achar(iachar("0") + decimals) // ")") abs(value)
    end if
    text = trim(adjustl(buffer))
    if (value < -0.5_dp * step) text = "&#8722;" // text
  end function tick_text

  function number(value) result(text)
    real(dp), intent(in) :: value
    character(len=:), allocatable :: text
    character(len=32) :: buffer

    write (buffer, "(f0.2)") value
    text = trim(buffer)
  end function number

end module svg_plot
